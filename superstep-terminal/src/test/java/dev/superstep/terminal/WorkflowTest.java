package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.CommandAttempt.Kind;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.ConversationStatus;
import dev.superstep.terminal.state.StepStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("A11")
final class WorkflowTest {
  private static final PlanDecision ACCEPT = new PlanDecision.Accept();

  @TempDir Path folder;

  @Test
  @Tag("C9")
  @Tag("C10")
  @Tag("C12")
  @Tag("X17")
  void a_prompt_becomes_a_plan_and_then_commands_that_a_person_approves() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Write a greeting file", "Show the greeting file"),
            Scene.more("echo hello > greeting.txt"),
            Scene.done(),
            Scene.last("cat greeting.txt"));
    var conversation = scene.session().ask("Greet me, please");
    var lines = new ArrayList<String>();
    conversation.listening(lines::add);

    var planned = conversation.advance();
    assertThat(planned.statusLine()).startsWith("[greet-me-please] (Planning Complete)");
    assertThat(scene.runner.started).isEmpty();
    assertThat(scene.model.requests()).hasSize(1);

    var suggested = conversation.decide(ACCEPT);
    assertThat(suggested.statusLine())
        .isEqualTo(
            "[greet-me-please] Step 1/2 (Command Suggested) | Provider: scripted"
                + " | Next: approve, change or deny the command");
    assertThat(scene.runner.started).isEmpty();
    assertThat(scene.model.requests()).hasSize(2);

    var second = Scene.approve(conversation);
    assertThat(Scene.request(second).command()).isEqualTo("cat greeting.txt");
    assertThat(Scene.request(second).provenance()).contains("follows output of step 1");
    assertThat(Files.readString(folder.resolve("greeting.txt"))).isEqualTo("hello\n");

    var finished = Scene.approve(conversation);
    assertThat(finished.status()).isEqualTo(ConversationStatus.FINISHED);
    assertThat(finished.waiting()).isEqualTo(new Waiting.Nothing());
    assertThat(finished.attempts().getLast().result().orElseThrow().stdout()).isEqualTo("hello\n");
    assertThat(scene.runner.started)
        .containsExactly("echo hello > greeting.txt", "cat greeting.txt");
    assertThat(lines).anyMatch(line -> line.contains("Step 1/2 (Running)"));
    assertThat(lines).anyMatch(line -> line.contains("Step 2/2 (Pending)"));
  }

  @Test
  @Tag("C10")
  void the_next_step_begins_when_the_person_says_so() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Print the first word", "Print the second word"),
            Scene.last("echo one"),
            Scene.last("echo two"));
    scene.limits = TerminalLimits.standard();
    var conversation = scene.session().ask("Print two words");
    conversation.advance();
    conversation.decide(ACCEPT);
    var between = Scene.approve(conversation);
    assertThat(between.waiting()).isEqualTo(new Waiting.ForStep(1, "Print the second word"));
    assertThat(scene.model.requests()).hasSize(2);
    var next = conversation.recover(Recovery.CONTINUE);
    assertThat(Scene.request(next).command()).isEqualTo("echo two");
  }

  @Test
  @Tag("C13")
  void a_plan_is_edited_reordered_and_rejected() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Print the first word", "Print the second word"),
            Scene.plan("Print both the words"));
    var conversation = scene.session().ask("Print two words");
    conversation.advance();
    var edit =
        new PlanDecision.Edit(
            List.of("Print the second word", "Print a third word", "Print the first word"));
    var edited = conversation.decide(edit);
    assertThat(edited.waiting()).isEqualTo(new Waiting.ForPlan(edit.steps(), List.of(), List.of()));
    var again = conversation.decide(new PlanDecision.Replan("one step is enough"));
    assertThat(again.waiting())
        .isEqualTo(new Waiting.ForPlan(List.of("Print both the words"), edit.steps(), List.of()));
    assertThat(scene.model.requests().getLast().messages().toString())
        .contains("one step is enough");
  }

  @Test
  @Tag("C14")
  @Tag("C11")
  void alternatives_come_from_the_first_reply_and_then_from_the_model_three_at_most()
      throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Print the first word"),
            Scene.last("echo a", "echo b"),
            Scene.last("echo c"),
            Scene.last("echo d"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(ACCEPT);
    int asked = scene.model.requests().size();
    var shown = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      shown.add(Scene.request(conversation.decide(new Decision.Alternative())).command());
    }
    assertThat(shown).containsExactly("echo b", "echo c", "echo d", "echo d");
    assertThat(scene.model.requests()).hasSize(asked + 2);
    assertThat(Scene.request(conversation.view()).changed()).contains("no further alternative");
    assertThat(Scene.request(conversation.view()).alternatives()).isZero();
  }

  @Test
  @Tag("C13")
  @Tag("W47")
  void an_edited_command_is_reviewed_and_asked_about_again() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    scene.rules.denied.add("echo forbidden");
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(ACCEPT);
    var old = Scene.request(conversation.view()).digest().hex();
    var edited = conversation.decide(new Decision.Edit("echo edited"));
    assertThat(Scene.request(edited).command()).isEqualTo("echo edited");
    assertThat(scene.runner.started).isEmpty();
    assertThatThrownBy(() -> conversation.approve(old, "")).isInstanceOf(NotApproved.class);
    var refused = conversation.decide(new Decision.Edit("echo forbidden"));
    assertThat(refused.progress().steps().getFirst().status()).isEqualTo(StepStatus.FAILED);
    assertThat(scene.runner.started).isEmpty();
    assertThat(refused.attempts())
        .extracting(attempt -> attempt.decision().kind())
        .containsExactly(Kind.EDITED, Kind.EDITED, Kind.REFUSED);
  }

  @Test
  @Tag("X18")
  @Tag("C33")
  @Tag("C17")
  void a_risky_command_is_approved_by_typing_what_is_asked_for_alone() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    scene.rules.phrases.add("echo a");
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    var request = Scene.request(conversation.decide(ACCEPT));
    for (var typed : List.of("", "y", "a", "yes")) {
      assertThatThrownBy(() -> conversation.approve(request.digest().hex(), typed))
          .isInstanceOf(NotApproved.class);
    }
    assertThat(scene.runner.started).isEmpty();
    assertThat(conversation.approve(request.digest().hex(), "yes, run it").status())
        .isEqualTo(ConversationStatus.FINISHED);
  }

  @Test
  @Tag("C13")
  void explain_stricter_skip_and_deny_start_nothing() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Print the first word", "Print the second word"),
            Scene.last("echo a"),
            "{\"explanation\":\"It prints a letter.\"}",
            Scene.last("echo b"),
            Scene.last("echo c"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(ACCEPT);
    var explained = Scene.request(conversation.decide(new Decision.Explain()));
    assertThat(explained.prose()).contains("It prints a letter.");
    var stricter = Scene.request(conversation.decide(new Decision.Stricter(Tier.LANDLOCK)));
    assertThat(stricter.confinement().tier()).isEqualTo(Tier.LANDLOCK);
    var denied = Scene.request(conversation.decide(new Decision.Deny("use another letter")));
    assertThat(denied.command()).isEqualTo("echo b");
    assertThat(scene.model.requests().getLast().messages().toString())
        .contains("use another letter");
    var skipped = conversation.decide(new Decision.Skip());
    assertThat(Scene.request(skipped).command()).isEqualTo("echo c");
    var last = conversation.decide(new Decision.Skip());
    assertThat(last.status()).isEqualTo(ConversationStatus.FINISHED);
    assertThat(last.progress().count(StepStatus.SKIPPED)).isEqualTo(2);
    assertThat(scene.runner.started).isEmpty();
  }

  @Test
  void always_allow_adds_a_rule_and_the_rules_decide_again() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(ACCEPT);
    var ended = conversation.decide(new Decision.AlwaysAllow("echo a", "session"));
    assertThat(ended.status()).isEqualTo(ConversationStatus.FINISHED);
    assertThat(ended.attempts().getLast().decision().by()).isEqualTo("rule");
  }

  @Test
  @Tag("C13")
  @Tag("C15")
  @Tag("C19")
  @Tag("C20")
  @Tag("W47")
  @Tag("W49")
  void after_a_failure_a_person_chooses_and_the_model_is_told_the_error() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Show a missing file"),
            Scene.last("cat missing.txt"),
            Scene.last("echo found"));
    var conversation = scene.session().ask("Show me a file");
    conversation.advance();
    conversation.decide(ACCEPT);
    var failed = Scene.approve(conversation);
    assertThat(failed.progress().steps().getFirst().status()).isEqualTo(StepStatus.FAILED);
    assertThat(((Waiting.ForRecovery) failed.waiting()).choices())
        .contains(Recovery.RETRY, Recovery.SKIP, Recovery.ABORT)
        .doesNotContain(Recovery.RERUN);
    assertThat(scene.model.requests()).hasSize(2);
    var retried = conversation.recover(Recovery.RETRY);
    assertThat(Scene.request(retried).command()).isEqualTo("echo found");
    var told = scene.model.requests().getLast().messages().toString();
    assertThat(told).contains("exit status 1", "No such file", "Show a missing file");
    var ended = Scene.approve(conversation);
    assertThat(ended.status()).isEqualTo(ConversationStatus.FINISHED);
    assertThat(ended.attempts()).hasSize(2);
  }

  @Test
  @Tag("C34")
  void the_model_may_ask_back_and_the_answer_is_context() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Print a chosen word"),
            "{\"question\":\"Which word?\",\"options\":[\"yes\",\"no\"]}",
            Scene.last("echo maybe"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    var asked = conversation.decide(ACCEPT);
    assertThat(asked.status()).isEqualTo(ConversationStatus.NEEDS_INPUT);
    assertThat(asked.waiting())
        .isEqualTo(new Waiting.ForAnswer(0, "Which word?", List.of("yes", "no"), List.of()));
    var answered = conversation.answer("maybe");
    assertThat(Scene.request(answered).command()).isEqualTo("echo maybe");
    assertThat(scene.model.requests().getLast().messages().toString())
        .contains("Which word? -> maybe");
  }

  @Test
  @Tag("C20")
  void nothing_is_asked_or_started_after_an_abort_at_any_question() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(ACCEPT);
    var aborted = conversation.abort();
    assertThat(aborted.status()).isEqualTo(ConversationStatus.ABORTED);
    assertThat(aborted.progress().steps().getFirst().status()).isEqualTo(StepStatus.CANCELLED);
    int asked = scene.model.requests().size();
    assertThat(conversation.advance().status()).isEqualTo(ConversationStatus.ABORTED);
    assertThat(conversation.abort().status()).isEqualTo(ConversationStatus.ABORTED);
    assertThat(scene.model.requests()).hasSize(asked);
    assertThat(scene.runner.started).isEmpty();
  }

  @Test
  @Tag("C36")
  void the_history_keeps_every_kind_of_event() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(ACCEPT);
    var ended = Scene.approve(conversation);
    assertThat(ended.history())
        .extracting(ConversationEvent::kind)
        .containsExactly(
            ConversationEvent.Kind.PLANNED,
            ConversationEvent.Kind.PLAN_ACCEPTED,
            ConversationEvent.Kind.STEP_STARTED,
            ConversationEvent.Kind.COMMAND_SUGGESTED,
            ConversationEvent.Kind.COMMAND_APPROVED,
            ConversationEvent.Kind.COMMAND_SUCCEEDED,
            ConversationEvent.Kind.STEP_COMPLETED,
            ConversationEvent.Kind.FINISHED);
  }

  @Test
  @Tag("C1")
  @Tag("W45")
  void a_typed_command_runs_at_once_and_cd_and_export_last() throws Exception {
    var scene = Scene.in(folder);
    var session = scene.session();
    Files.createDirectories(folder.resolve("inner/deep"));
    ran(session.run("cd inner && export COLOR=blue"));
    var printed = ran(session.run("cd deep; echo $COLOR; pwd"));
    assertThat(printed.stdout()).isEqualTo("blue\n" + folder.toRealPath() + "/inner/deep\n");
    assertThat(session.record().directory())
        .isEqualTo(folder.toRealPath().resolve("inner/deep").toString());
    assertThat(session.record().variables()).containsEntry("COLOR", "***");
    assertThat(session.record().commands()).hasSize(2);
    assertThat(session.record().conversations()).isEmpty();
    assertThat(scene.model.requests()).isEmpty();
  }

  private static CommandResult ran(TerminalSession.Typed typed) {
    return ((TerminalSession.Typed.Ran) typed).result();
  }
}
