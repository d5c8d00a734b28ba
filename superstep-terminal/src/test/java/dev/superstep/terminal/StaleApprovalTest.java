package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.approval.ApprovalStale;
import dev.superstep.terminal.approval.Approvals;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.policy.Confinement;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.StepStatus;
import dev.superstep.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What is changed between the approval of a command and its start.
final class StaleApprovalTest {
  @TempDir Path folder;

  /// A change to what was approved.
  interface Change {
    Execution apply(Execution approved, Path folder) throws IOException;
  }

  private static Arguments change(String name, String part, Change change) {
    return Arguments.of(name, part, change);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("edited text", "command", (e, _) -> with(e, "./run.sh --all", e.environment())),
        change("script", "run.sh", (e, f) -> write(e, f.resolve("run.sh"), "echo changed")),
        change("sourced file", "lib.sh", (e, f) -> write(e, f.resolve("lib.sh"), "echo changed")),
        change(
            "binary behind a link",
            "tool",
            (e, f) -> {
              Files.delete(f.resolve("tool"));
              Files.createSymbolicLink(f.resolve("tool"), f.resolve("other"));
              return e;
            }),
        change("directory", "directory", (e, f) -> in(e, f.resolve("inner"), e.workspace())),
        change(
            "workspace swapped",
            "workspace",
            (e, f) -> {
              Files.move(f.resolve("ws"), f.resolve("ws-old"));
              Files.createDirectory(f.resolve("ws"));
              return e;
            }),
        change(
            "environment",
            "variable MODE",
            (e, _) -> with(e, e.script(), variables(e, "MODE", "fast"))),
        change(
            "new variable",
            "variable MORE",
            (e, _) -> with(e, e.script(), variables(e, "MORE", "x"))),
        change(
            "tier",
            "confinement",
            (e, _) ->
                confined(e, new Confinement(Tier.PROCESS, false, false), e.policy(), e.plan())),
        change("rule file", "rules", (e, _) -> confined(e, e.confinement(), "rules-2", e.plan())),
        change("plan", "plan", (e, _) -> confined(e, e.confinement(), e.policy(), "plan-2")),
        change("standard input", "input", (e, _) -> fed(e, "more", e.timeout())),
        change("time limit", "time limit", (e, _) -> fed(e, e.stdin(), Duration.ofHours(1))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  @Tag("C33")
  void a_change_of_anything_that_was_approved_makes_the_approval_stale(
      String name, String part, Change change) throws IOException {
    var approved = execution();
    var shown = ApprovalDigest.of(approved);
    var approvals = Approvals.of(ManualClock.at("2026-11-28T08:00:00Z"), Approvals.VALIDITY);
    var token = approvals.grant(shown.hex());
    var changed = ApprovalDigest.of(change.apply(approved, folder));
    assertThatThrownBy(() -> approvals.redeem(token, shown, changed))
        .isInstanceOfSatisfying(
            ApprovalStale.class,
            stale -> assertThat(stale.changes()).singleElement().asString().contains(part));
    // It is used up, even for what was shown.
    assertThatThrownBy(() -> approvals.redeem(token, shown, shown))
        .isInstanceOf(ApprovalStale.class);
  }

  @Test
  void an_approval_counts_once_for_a_time_and_in_its_process() throws IOException {
    var clock = ManualClock.at("2026-11-28T08:00:00Z");
    var approvals = Approvals.of(clock, Duration.ofMinutes(2));
    var digest = ApprovalDigest.of(execution());
    var token = approvals.grant(digest.hex());
    approvals.redeem(token, digest, digest);
    assertThatThrownBy(() -> approvals.redeem(token, digest, digest))
        .isInstanceOf(ApprovalStale.class);
    var late = approvals.grant(digest.hex());
    clock.advance(Duration.ofMinutes(2));
    assertThatThrownBy(() -> approvals.redeem(late, digest, digest))
        .isInstanceOf(ApprovalStale.class)
        .hasMessageContaining("time");
    var other = Approvals.of(clock, Duration.ofMinutes(2)).grant(digest.hex());
    assertThatThrownBy(() -> approvals.redeem(other, digest, digest))
        .isInstanceOf(ApprovalStale.class);
  }

  @Test
  void a_stored_digest_does_not_give_a_short_secret_away() throws IOException {
    var parts = ApprovalDigest.of(execution()).parts();
    assertThat(parts.get("variable MODE")).isNotEqualTo(ApprovalDigest.sha256("slow"));
  }

  private Execution execution() throws IOException {
    for (var name : List.of("run.sh", "lib.sh", "program", "other")) {
      Files.writeString(folder.resolve(name), "echo " + name);
    }
    for (var name : List.of("ws", "inner")) Files.createDirectory(folder.resolve(name));
    Files.createSymbolicLink(folder.resolve("tool"), folder.resolve("program"));
    return new Execution(
        "./run.sh",
        List.of("/bin/sh", "-c", "./run.sh"),
        folder,
        folder.resolve("ws"),
        Map.of("PATH", "/bin", "MODE", "slow"),
        new Confinement(Tier.LANDLOCK, false, false),
        "rules-1",
        "plan-1",
        "conversation-1",
        "",
        Duration.ofMinutes(5),
        Stream.of("run.sh", "lib.sh", "tool").map(folder::resolve).toList());
  }

  private static Map<String, String> variables(Execution e, String name, String value) {
    var all = new TreeMap<>(e.environment());
    all.put(name, value);
    return all;
  }

  private static Execution write(Execution e, Path file, String text) throws IOException {
    Files.writeString(file, text);
    return e;
  }

  private static Execution with(Execution e, String script, Map<String, String> environment) {
    return new Execution(
        script,
        e.argv(),
        e.directory(),
        e.workspace(),
        environment,
        e.confinement(),
        e.policy(),
        e.plan(),
        e.conversation(),
        e.stdin(),
        e.timeout(),
        e.files());
  }

  private static Execution in(Execution e, Path directory, Path workspace) {
    return new Execution(
        e.script(),
        e.argv(),
        directory,
        workspace,
        e.environment(),
        e.confinement(),
        e.policy(),
        e.plan(),
        e.conversation(),
        e.stdin(),
        e.timeout(),
        e.files());
  }

  private static Execution confined(Execution e, Confinement tier, String policy, String plan) {
    return new Execution(
        e.script(),
        e.argv(),
        e.directory(),
        e.workspace(),
        e.environment(),
        tier,
        policy,
        plan,
        e.conversation(),
        e.stdin(),
        e.timeout(),
        e.files());
  }

  private static Execution fed(Execution e, String stdin, Duration timeout) {
    return new Execution(
        e.script(),
        e.argv(),
        e.directory(),
        e.workspace(),
        e.environment(),
        e.confinement(),
        e.policy(),
        e.plan(),
        e.conversation(),
        stdin,
        timeout,
        e.files());
  }

  /// Commands on the way, with the change made between the person's key and the start.
  @Test
  @Tag("C33")
  void what_changed_since_the_person_looked_is_not_started_but_asked_about_again()
      throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    var changes = new ArrayList<Runnable>();
    changes.add(() -> scene.rules.version = "2");
    changes.add(() -> scene.rules.tier = Tier.LANDLOCK);
    changes.add(() -> scene.clock.advance(Duration.ofMinutes(3)));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(new PlanDecision.Accept());
    for (var change : changes) {
      var request = Scene.request(conversation.view());
      // The listener is called between the node that takes the decision and the one that starts.
      conversation.listening(line -> {
        if (line.contains("(Running)")) change.run();
      });
      var asked = conversation.approve(request.digest().hex(), "");
      conversation.listening(_ -> {});
      assertThat(Scene.request(asked).changed()).isNotEmpty();
      assertThat(asked.progress().steps().getFirst().status())
          .isEqualTo(StepStatus.COMMAND_SUGGESTED);
      assertThat(asked.history().getLast()).isInstanceOf(ConversationEvent.ApprovalExpired.class);
      assertThat(scene.runner.started).isEmpty();
    }
    Scene.approve(conversation);
    assertThat(scene.runner.started).hasSize(1);
  }

  @Test
  void an_approval_of_an_earlier_process_is_stale() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo a"));
    var session = scene.session();
    var conversation = session.ask("Print a word");
    conversation.advance();
    var request = Scene.request(conversation.decide(new PlanDecision.Accept()));
    var earlier = scene.terminal().approvals().grant(request.digest().hex());
    var asked = conversation.decide(new Decision.Approve(earlier));
    assertThat(scene.runner.started).isEmpty();
    assertThat(Scene.request(asked).changed()).asString().contains("earlier process");
  }
}
