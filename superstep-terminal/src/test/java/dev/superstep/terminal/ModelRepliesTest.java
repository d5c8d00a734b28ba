package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.budget.Budget;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.terminal.backend.BackendFailure;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.backend.ModelBackends;
import dev.superstep.terminal.backend.ProviderChoice;
import dev.superstep.terminal.state.ConversationStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ModelRepliesTest {
  @TempDir Path folder;

  @Test
  @Tag("C8")
  @Tag("W49")
  void a_plan_that_is_out_of_its_limits_is_named_and_repaired_once() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Installing"), Scene.plan("Install the tool"));
    var conversation = scene.session().ask("Install it");
    assertThat(conversation.advance().status()).isEqualTo(ConversationStatus.READY);
    assertThat(scene.model.requests().getLast().messages().toString())
        .contains("TOO_FEW_WORDS", "NOT_IMPERATIVE");
  }

  @Test
  @Tag("C20")
  @Tag("C21")
  void a_plan_that_stays_wrong_is_an_error_that_can_be_retried() throws Exception {
    var scene = Scene.in(folder, "no", "{\"steps\":[]} or so", Scene.plan("Print the first word"));
    var conversation = scene.session().ask("Print it");
    var failed = conversation.advance();
    assertThat(failed.status()).isEqualTo(ConversationStatus.ERROR);
    assertThat(((Waiting.ForRetry) failed.waiting()).code())
        .isEqualTo("terminal.plan.invalid-json");
    assertThat(((Waiting.ForRetry) failed.waiting()).message()).contains("NOT_JSON");
    assertThat(conversation.recover(Recovery.RETRY).status()).isEqualTo(ConversationStatus.READY);
  }

  @Test
  @Tag("C20")
  @Tag("C21")
  @Tag("C29")
  void each_failure_of_a_model_has_its_code() throws Exception {
    var codes = new ArrayList<String>();
    for (var kind : ModelException.Kind.values()) {
      var calls = new AtomicInteger();
      var model =
          ScriptedModel.by(_ -> {
            calls.incrementAndGet();
            throw new ModelException(kind, "It failed.");
          });
      var scene = Scene.in(folder);
      var parts =
          TerminalParts.of(
              ModelBackend.of("scripted", model), scene.rules, scene.runner, scene.redact);
      var terminal = Terminal.of(parts, scene.threads, scene.store);
      var view = terminal.open(folder, scene.environment).ask("Do it").advance();
      assertThat(view.status()).isEqualTo(ConversationStatus.ERROR);
      codes.add(kind + " " + ((Waiting.ForRetry) view.waiting()).code());
      // Only a time that is over is worth a second call without a person.
      assertThat(calls).hasValue(kind == ModelException.Kind.TIMEOUT ? 2 : 1);
    }
    assertThat(codes)
        .contains(
            "TIMEOUT terminal.plan.timeout",
            "MALFORMED terminal.plan.invalid-json",
            "CONTEXT_LENGTH terminal.plan.context-error",
            "TRANSPORT terminal.plan.model-error");
    assertThat(BackendFailure.of(ModelException.Kind.UNAVAILABLE)).contains(BackendFailure.IMPORT);
    assertThat(BackendFailure.of(ModelException.Kind.MALFORMED)).contains(BackendFailure.JSON);
    assertThat(BackendFailure.of(ModelException.Kind.RATE_LIMITED))
        .contains(BackendFailure.NETWORK);
    assertThat(BackendFailure.of(ModelException.Kind.TIMEOUT)).contains(BackendFailure.TIMEOUT);
    assertThat(BackendFailure.of(ModelException.Kind.REFUSED)).isEmpty();
  }

  @Test
  void no_model_is_asked_beyond_the_budget() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    scene.limits = scene.limits.budget(Budget.unlimited().calls(1));
    var session = scene.session();
    var conversation = session.ask("Print it");
    conversation.advance();
    // Another process knows what was spent, before the limit is met and after that.
    var second = again(scene, session, conversation);
    var over = second.decide(new PlanDecision.Accept());
    assertThat(over.status()).isEqualTo(ConversationStatus.ERROR);
    assertThat(((Waiting.ForRetry) over.waiting()).code()).isEqualTo("terminal.command.budget");
    var third = again(scene, session, conversation).recover(Recovery.RETRY);
    assertThat(third.status()).isEqualTo(ConversationStatus.ERROR);
    assertThat(((Waiting.ForRetry) third.waiting()).code()).isEqualTo("terminal.command.budget");
    assertThat(scene.model.requests()).hasSize(1);
    // With a larger budget it goes on from there, by what is left.
    scene.limits = scene.limits.budget(Budget.unlimited().calls(2));
    var fourth = again(scene, session, conversation).recover(Recovery.RETRY);
    assertThat(Scene.request(fourth).command()).isEqualTo("echo a");
    assertThat(scene.model.requests()).hasSize(2);
  }

  /// The conversation in a process of its own: the same stores, nothing else.
  private static TerminalConversation again(
      Scene scene, TerminalSession session, TerminalConversation conversation) {
    return scene
        .terminal()
        .open(session.record().id(), scene.environment)
        .orElseThrow()
        .conversation(conversation.id())
        .orElseThrow();
  }

  @Test
  @Tag("C11")
  @Tag("C16")
  @Tag("C34")
  void replies_that_are_no_proposal_are_refused() throws Exception {
    for (var wrong :
        List.of(
            "{}",
            "{\"commands\":[],\"done\":false}",
            "{\"commands\":[{\"command\":\"ls\"}],\"done\":true}",
            "{\"commands\":[{\"command\":\" \",\"explanation\":\"\"}],\"done\":true}",
            "{\"question\":\"a?\",\"commands\":[{\"command\":\"ls\",\"explanation\":\"\"}]}",
            "{\"commands\":[],\"done\":true,\"more\":1}",
            "```json\n{\"commands\":[],\"done\":true}\n```",
            "Here: {\"commands\":[],\"done\":true}",
            "[]")) {
      var scene = Scene.in(folder, Scene.plan("Print the first word"), wrong, wrong);
      var conversation = scene.session().ask("Print it");
      conversation.advance();
      var view = conversation.decide(new PlanDecision.Accept());
      assertThat(view.status()).as(wrong).isEqualTo(ConversationStatus.ERROR);
      assertThat(((Waiting.ForRetry) view.waiting()).code())
          .isEqualTo("terminal.command.invalid-json");
    }
  }

  @Test
  @Tag("C28")
  void the_provider_is_that_of_the_strongest_layer() {
    var both = Map.of(ProviderChoice.VARIABLE, "ours", ProviderChoice.PARSEC_VARIABLE, "parsecs");
    var parsec = Map.of(ProviderChoice.PARSEC_VARIABLE, "parsecs");
    assertThat(ProviderChoice.of("given", both, "file").name()).isEqualTo("given");
    assertThat(ProviderChoice.of(null, both, "file").name()).isEqualTo("ours");
    assertThat(ProviderChoice.of(" ", parsec, "file"))
        .isEqualTo(new ProviderChoice("parsecs", ProviderChoice.Layer.PARSEC_ENVIRONMENT));
    assertThat(ProviderChoice.of(null, Map.of(), "file").name()).isEqualTo("file");
    assertThat(ProviderChoice.of(null, Map.of(), null).name()).isEqualTo("google-ai");
  }

  @Test
  @Tag("C27")
  @Tag("W50")
  void a_provider_is_opened_when_it_is_needed_and_by_its_name() {
    var opened = new AtomicInteger();
    var backends =
        ModelBackends.none()
            .with(
                "scripted",
                () -> {
                  opened.incrementAndGet();
                  return ModelBackend.of("scripted", ScriptedModel.saying());
                });
    assertThat(opened).hasValue(0);
    assertThat(backends.open("scripted").name()).isEqualTo("scripted");
    assertThatThrownBy(() -> backends.open("other"))
        .isInstanceOf(ModelBackends.UnknownBackend.class)
        .hasMessageContaining("scripted");
  }

  @Test
  @Tag("C7")
  @Tag("C35")
  void the_planner_is_told_the_session_and_what_newest_conversations_came_to() throws Exception {
    var replies = new ArrayList<String>();
    for (int i = 0; i < 8; i++) replies.add(Scene.plan("Print word number " + i));
    var scene = Scene.in(folder, replies.toArray(String[]::new));
    var session = scene.session();
    for (int i = 0; i < 7; i++) {
      var conversation = session.ask("Task number " + i);
      conversation.advance();
      conversation.abort();
    }
    session.ask("The newest task").advance();
    var told = scene.model.requests().getLast().messages().toString();
    assertThat(told)
        .contains("The newest task", "Task number 6 (Aborted)", "Task number 2 (Aborted)")
        .contains("variables HOME LANG PATH")
        .doesNotContain("Task number 1 ");
    assertThat(Optional.of(told).filter(text -> text.contains("C.UTF-8"))).isEmpty();
  }
}
