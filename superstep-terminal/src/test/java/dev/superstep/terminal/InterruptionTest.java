package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.terminal.CommandAttempt.Kind;
import dev.superstep.terminal.state.ConversationStatus;
import dev.superstep.terminal.state.StepStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What happens to a command that is at work.
@Timeout(60)
final class InterruptionTest {
  @TempDir Path folder;

  /// A conversation with a command that says when it has begun, and does not end by itself.
  private final class AtWork {
    final Scene scene =
        Scene.in(
            folder,
            Scene.plan("Wait for a while"),
            Scene.last("echo begun >> begun; sleep 1000"),
            Scene.last("echo another"));
    final CountDownLatch begun = new CountDownLatch(1);
    final TerminalSession session;
    final TerminalConversation conversation;
    final FutureTask<ConversationView> approving;

    AtWork() throws Exception {
      CommandRunner runner =
          execution -> {
            begun.countDown();
            return scene.runner.run(execution);
          };
      var parts =
          TerminalParts.of(scene.parts().models(), scene.rules, runner, scene.redact)
              .clock(scene.clock)
              .limits(scene.limits);
      session = Terminal.of(parts, scene.threads, scene.store).open(folder, scene.environment);
      conversation = session.ask("Wait, please");
      conversation.advance();
      conversation.decide(new PlanDecision.Accept());
      approving = new FutureTask<>(() -> Scene.approve(conversation));
      Thread.ofVirtual().start(approving);
      begun.await();
    }
  }

  @Test
  @Tag("C20")
  @Tag("C4")
  void an_abort_ends_the_command_and_asks_no_model() throws Exception {
    var work = new AtWork();
    var aborted = work.conversation.abort();
    assertThat(aborted.status()).isEqualTo(ConversationStatus.ABORTED);
    assertThat(aborted.progress().steps().getFirst().status()).isEqualTo(StepStatus.CANCELLED);
    // Who approved it may look just before the end is stored.
    assertThat(work.approving.get().status())
        .isIn(ConversationStatus.ABORTED, ConversationStatus.PAUSED);
    assertThat(work.conversation.view().status()).isEqualTo(ConversationStatus.ABORTED);
    assertThat(work.scene.model.requests()).hasSize(2);
    assertThat(work.scene.runner.started).hasSize(1);
  }

  @Test
  void a_second_opener_sees_it_and_cannot_move_it() throws Exception {
    var work = new AtWork();
    var second =
        work.scene
            .terminal()
            .open(work.session.record().id(), work.scene.environment)
            .orElseThrow()
            .conversation(work.conversation.id())
            .orElseThrow();
    assertThat(second.isAtWork()).isTrue();
    assertThat(second.view().progress().steps().getFirst().status()).isEqualTo(StepStatus.RUNNING);
    assertThatThrownBy(second::advance).isInstanceOf(ThreadBusy.class);
    assertThat(second.journal().lastOffset()).isPositive();
    work.conversation.abort();
    assertThat(second.view().status()).isEqualTo(ConversationStatus.ABORTED);
  }

  @Test
  @Tag("C3")
  void a_command_that_was_stopped_is_interrupted_and_a_person_says_what_of_it_is_done()
      throws Exception {
    var work = new AtWork();
    work.conversation.pause();
    var paused = work.approving.get();
    assertThat(paused.status()).isEqualTo(ConversationStatus.PAUSED);
    assertThat(paused.progress().steps().getFirst().status()).isEqualTo(StepStatus.INTERRUPTED);
    work.scene.rules.allowed.add("echo begun >> begun; sleep 1000");

    var resumed = work.conversation.advance();
    assertThat(resumed.progress().steps().getFirst().status()).isEqualTo(StepStatus.INTERRUPTED);
    assertThat(((Waiting.ForRecovery) resumed.waiting()).choices())
        .contains(Recovery.MARK_DONE, Recovery.RERUN, Recovery.SKIP, Recovery.ABORT);
    assertThat(resumed.attempts().getLast().decision().kind()).isEqualTo(Kind.INTERRUPTED);
    assertThat(work.scene.runner.started).hasSize(1);

    // A rule would allow it by now; nobody knows how far it came, so a person is asked.
    var asked = work.conversation.recover(Recovery.RERUN);
    assertThat(Scene.request(asked).command()).startsWith("echo begun");
    assertThat(work.scene.runner.started).hasSize(1);
    work.conversation.abort();
  }

  @Test
  void what_was_stopped_can_be_marked_as_done() throws Exception {
    var work = new AtWork();
    work.conversation.pause();
    work.approving.get();
    work.conversation.advance();
    var done = work.conversation.recover(Recovery.MARK_DONE);
    assertThat(done.status()).isEqualTo(ConversationStatus.FINISHED);
  }

  @Test
  @Tag("C18")
  @Tag("C21")
  void a_command_that_takes_too_long_fails_with_its_output() throws Exception {
    var scene =
        Scene.in(folder, Scene.plan("Wait for a while"), Scene.last("echo so far; sleep 1000"));
    scene.limits = scene.limits.commandTimeout(Duration.ofSeconds(1));
    var conversation = scene.session().ask("Wait, please");
    conversation.advance();
    conversation.decide(new PlanDecision.Accept());
    var failed = Scene.approve(conversation);
    var result = failed.attempts().getLast().result().orElseThrow();
    assertThat(result.error()).contains(CommandResult.ExecutionError.TIMEOUT);
    assertThat(result.stdout()).isEqualTo("so far\n");
    assertThat(failed.progress().steps().getFirst().status()).isEqualTo(StepStatus.FAILED);
  }

  @Test
  @Tag("C21")
  void the_reasons_of_failures_are_told_apart() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Run some things"),
            Scene.last("no-such-program-here"),
            Scene.last("./not-executable"),
            Scene.last("exit 3"));
    Files.writeString(folder.resolve("not-executable"), "#!/bin/sh\n");
    var conversation = scene.session().ask("Run them, please");
    conversation.advance();
    conversation.decide(new PlanDecision.Accept());
    Scene.approve(conversation);
    conversation.recover(Recovery.RETRY);
    Scene.approve(conversation);
    conversation.recover(Recovery.RETRY);
    var view = Scene.approve(conversation);
    assertThat(view.attempts())
        .extracting(attempt -> attempt.result().orElseThrow().error().orElseThrow())
        .containsExactly(
            CommandResult.ExecutionError.COMMAND_NOT_FOUND,
            CommandResult.ExecutionError.PERMISSION_DENIED,
            CommandResult.ExecutionError.EXECUTION_FAILED);
  }
}
