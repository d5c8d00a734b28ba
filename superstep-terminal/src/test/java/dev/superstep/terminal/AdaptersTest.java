package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.CommandReview.Circumstances;
import dev.superstep.terminal.CommandReview.Review;
import dev.superstep.terminal.CommandReview.Verdict;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.DecisionContext;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.state.StepStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The review by rules and the runner in a sandbox, as parts of the workflow: what was decided is
/// how a command runs, or it does not run.
@Tag("C17")
@Tag("C30")
final class AdaptersTest {
  private static final Set<Tier> NONE = EnumSet.of(Tier.PROCESS);
  private static final Set<Tier> T1 = EnumSet.of(Tier.PROCESS, Tier.LANDLOCK);
  private static final Set<Tier> ALL = EnumSet.allOf(Tier.class);

  @TempDir Path folder;

  private static PolicyReview review(String rules, Set<Tier> tiers) {
    var parsed = CommandRules.parse(rules, "rules.toml", Scope.USER);
    var context = DecisionContext.of(tiers, Instant.EPOCH);
    return PolicyReview.of(() -> parsed, () -> context, (_, _) -> {});
  }

  private Review reviewed(String command, Set<Tier> tiers) {
    var at = Circumstances.typed(folder, folder, Path.of("/home/ann"));
    return review("", tiers).review(ShellScript.parse(command), at);
  }

  @Test
  @Tag("W48")
  void the_removal_of_everything_is_denied_in_every_tier_and_spelling() {
    for (var tiers : Set.of(NONE, T1, ALL)) {
      for (var command :
          Set.of("rm -rf /", "rm -fr /", "rm -r -f /", "sudo rm -rf --no-preserve-root /")) {
        var review = reviewed(command, tiers);
        assertThat(review.verdict()).as(command).isEqualTo(Verdict.DENY);
        assertThat(review.reasons()).anyMatch(reason -> reason.contains("never run"));
      }
    }
  }

  @Test
  void medium_without_bubblewrap_asks_in_landlock_and_names_the_gap() {
    var review = reviewed("mv a b", T1);
    assertThat(review.verdict()).isEqualTo(Verdict.CONFIRM);
    assertThat(review.phrase()).isEmpty();
    assertThat(review.confinement().tier()).isEqualTo(Tier.LANDLOCK);
    assertThat(review.confinement().refusesMetadata()).isTrue();
    assertThat(review.reasons()).anyMatch(reason -> reason.startsWith("Without bubblewrap"));
    var held = reviewed("mv a b", ALL);
    assertThat(held.confinement().tier()).isEqualTo(Tier.BUBBLEWRAP);
    assertThat(held.reasons()).noneMatch(reason -> reason.startsWith("Without bubblewrap"));
  }

  @Test
  void high_without_bubblewrap_runs_only_after_it_was_typed_in_full() throws Exception {
    var command = "rm -r build";
    assertThat(reviewed(command, T1).phrase()).contains(command);
    assertThat(reviewed(command, NONE).phrase()).contains(command);
    assertThat(reviewed(command, ALL).phrase()).contains("rm");
    var runner = new ProcessRunner();
    var conversation = conversation(review("", T1), runner, command);
    var request = Scene.request(conversation.view());
    for (var typed : Set.of("", "a", "rm", "rm -r", "rm -r build ", "RM -R BUILD")) {
      if (typed.strip().equals(command)) continue;
      assertThatThrownBy(() -> conversation.approve(request.digest().hex(), typed))
          .isInstanceOf(NotApproved.class);
    }
    assertThat(runner.started).isEmpty();
    Files.createDirectories(folder.resolve("build"));
    conversation.approve(request.digest().hex(), command);
    assertThat(runner.started).containsExactly(command);
    assertThat(folder.resolve("build")).doesNotExist();
  }

  @Test
  void without_any_sandbox_even_a_low_command_is_typed() {
    var review = reviewed("ls", NONE);
    assertThat(review.verdict()).isEqualTo(Verdict.CONFIRM);
    assertThat(review.phrase()).contains("ls");
    assertThat(review.confinement().tier()).isEqualTo(Tier.PROCESS);
    assertThat(review.reasons()).anyMatch(reason -> reason.contains("no sandbox"));
  }

  @Test
  void a_tier_that_is_missing_refuses_and_no_weaker_one_is_used() throws Exception {
    for (var tiers : Set.of(T1, ALL)) {
      var runner = new SandboxedRunner(Sandbox.processesOnly());
      var conversation = conversation(review("", tiers), runner, "touch made");
      var failed = Scene.approve(conversation);
      assertThat(failed.progress().steps().getFirst().status()).isEqualTo(StepStatus.FAILED);
      assertThat(failed.attempts().getLast().result().orElseThrow().error())
          .contains(CommandResult.ExecutionError.EXECUTION_FAILED);
      assertThat(folder.resolve("made")).doesNotExist();
    }
  }

  @Test
  void the_tier_that_was_approved_confines_the_step() throws Exception {
    var sandbox = Sandbox.open();
    boolean isHeld = sandbox.machine().isAvailable(Tier.LANDLOCK);
    if (!isHeld) System.out.println("long: not run: no Landlock here: " + sandbox.machine().text());
    assumeTrue(isHeld, "needs Landlock");
    var outside = Files.createDirectory(folder.resolve("outside"));
    var inside = Files.createDirectory(folder.resolve("inside"));
    var conversation =
        conversation(
            inside,
            review("", T1),
            new SandboxedRunner(sandbox),
            "echo in > made; echo out > ../outside/made");
    assertThat(Scene.request(conversation.view()).confinement().tier()).isEqualTo(Tier.LANDLOCK);
    var ended = Scene.approve(conversation);
    assertThat(ended.attempts().getLast().result().orElseThrow().isSuccess()).isFalse();
    assertThat(inside.resolve("made")).hasContent("in\n");
    assertThat(outside.resolve("made")).doesNotExist();
  }

  private TerminalConversation conversation(
      PolicyReview review, CommandRunner runner, String command) throws Exception {
    return conversation(folder, review, runner, command);
  }

  private static TerminalConversation conversation(
      Path workspace, PolicyReview review, CommandRunner runner, String command) throws Exception {
    var scene = Scene.in(workspace, Scene.plan("Do what is asked"), Scene.last(command));
    var parts =
        TerminalParts.of(ModelBackend.of("scripted", scene.model), review, runner, scene.redact)
            .clock(scene.clock)
            .limits(scene.limits);
    var session = Terminal.of(parts, scene.threads, scene.store).open(workspace, scene.environment);
    var conversation = session.ask("Do it");
    conversation.advance();
    conversation.decide(new PlanDecision.Accept());
    return conversation;
  }
}
