package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Threads;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.state.StepStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Changes between the key of the person and the start of the command, in a real conversation with
/// a command that counts how often it ran.
@Tag("C33")
@Tag("X18")
@Tag("TH11")
final class ApprovalMutationsTest {
  private static final String COMMAND = ". ./lib.sh && ./run.sh && tool";

  @TempDir Path folder;
  private Path inner;

  /// A conversation that waits for its command.
  private static final class AtQuestion {
    final Scene scene;
    final Path folder;
    final TerminalSession session;
    final TerminalConversation conversation;

    AtQuestion(Path folder) throws Exception {
      this.folder = folder;
      this.scene =
          Scene.in(folder, Scene.plan("Run the tool", "Print a word"), Scene.last(COMMAND));
      scene.environment.put("PATH", "/usr/bin:/bin:" + folder.resolve("bin"));
      session = scene.session();
      session.run("cd inner");
      scene.runner.started.clear();
      conversation = session.ask("Run the tool");
      conversation.advance();
      conversation.decide(new PlanDecision.Accept());
    }
  }

  /// A change of the machine or of the program.
  interface Change {
    void make(AtQuestion at) throws Exception;
  }

  private static Arguments change(String name, String part, Change change) {
    return Arguments.of(name, part, change);
  }

  static Stream<Arguments> changes() {
    return Stream.of(
        change("script file", "run.sh", at -> script(at.folder.resolve("inner/run.sh"), "echo x")),
        change("sourced file", "lib.sh", at -> script(at.folder.resolve("inner/lib.sh"), "X=2")),
        change(
            "script replaced by a link",
            "run.sh",
            at -> link(at.folder.resolve("inner/run.sh"), at.folder.resolve("bin/other"))),
        change("script deleted", "run.sh", at -> Files.delete(at.folder.resolve("inner/run.sh"))),
        change(
            "binary behind a link",
            "tool",
            at -> link(at.folder.resolve("bin/tool"), at.folder.resolve("bin/other"))),
        change("binary", "tool", at -> script(at.folder.resolve("bin/program"), "echo changed")),
        change("directory replaced", "directory", at -> replace(at.folder.resolve("inner"))),
        change("variable", "variable MODE", at -> at.session.run("export MODE=fast")),
        change("shell moved", "directory", at -> at.session.run("cd ..")),
        change("rules", "rules", at -> at.scene.rules.version = "2"),
        change("tier", "confinement", at -> at.scene.rules.tier = Tier.LANDLOCK),
        change("expired", "time", at -> at.scene.clock.advance(Duration.ofMinutes(3))));
  }

  @BeforeEach
  void make_a_workspace() throws Exception {
    inner = Files.createDirectories(folder.resolve("inner"));
    Files.createDirectories(folder.resolve("bin"));
    script(inner.resolve("lib.sh"), "X=1");
    script(inner.resolve("run.sh"), "echo ran >> " + folder.resolve("count"));
    script(folder.resolve("bin/program"), "echo ran >> " + folder.resolve("count"));
    script(folder.resolve("bin/other"), "echo ran >> " + folder.resolve("count"));
    Files.createSymbolicLink(folder.resolve("bin/tool"), folder.resolve("bin/program"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void a_change_after_the_key_starts_nothing_and_is_asked_about(
      String name, String part, Change change) throws Exception {
    var at = new AtQuestion(folder);
    var request = Scene.request(at.conversation.view());
    // The listener is called between the node that takes the decision and the one that starts.
    at.conversation.listening(line -> {
      if (line.contains("(Running)")) made(at, change);
    });
    var asked = at.conversation.approve(request.digest().hex(), "");
    at.conversation.listening(_ -> {});
    assertNothingStarted(at, asked, part);
    // Whoever approves what is there now starts what is there now, once.
    var again = Scene.request(asked);
    assertThat(again.digest().hex())
        .satisfies(hex -> {
          if (!part.equals("time")) assertThat(hex).isNotEqualTo(request.digest().hex());
        });
    at.conversation.approve(again.digest().hex(), "");
    assertThat(at.scene.runner.started.stream().filter(COMMAND::equals)).hasSize(1);
  }

  private void assertNothingStarted(AtQuestion at, ConversationView asked, String part) {
    assertThat(Scene.request(asked).changed()).anyMatch(changed -> changed.contains(part));
    assertThat(asked.history().getLast()).isInstanceOf(ConversationEvent.ApprovalExpired.class);
    assertThat(asked.progress().steps().getFirst().status())
        .isEqualTo(StepStatus.COMMAND_SUGGESTED);
    assertThat(at.scene.runner.started).doesNotContain(COMMAND);
    assertThat(folder.resolve("count")).doesNotExist();
  }

  private static void made(AtQuestion at, Change change) {
    try {
      change.make(at);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void script(Path file, String text) throws Exception {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    var _ = file.toFile().setExecutable(true);
  }

  private static void link(Path file, Path to) throws Exception {
    Files.delete(file);
    Files.createSymbolicLink(file, to);
  }

  /// Another directory with the same files in its place.
  private static void replace(Path directory) throws Exception {
    var old = directory.resolveSibling("old");
    Files.move(directory, old);
    Files.createDirectory(directory);
    for (var name : List.of("lib.sh", "run.sh")) {
      Files.copy(old.resolve(name), directory.resolve(name));
      var _ = directory.resolve(name).toFile().setExecutable(true);
    }
  }

  @Test
  void an_approval_of_the_text_before_an_edit_starts_nothing() throws Exception {
    var at = new AtQuestion(folder);
    var before = Scene.request(at.conversation.view());
    var grant = at.session.fork(at.conversation.id());
    assertThat(grant.id()).isNotEqualTo(at.conversation.id());
    at.conversation.decide(new Decision.Edit(COMMAND + " && echo more"));
    assertThatThrownBy(() -> at.conversation.approve(before.digest().hex(), ""))
        .isInstanceOf(NotApproved.class);
    assertThat(at.scene.runner.started).isEmpty();
  }

  @Test
  void an_approval_under_another_plan_or_time_limit_starts_nothing() throws Exception {
    var at = new AtQuestion(folder);
    var threads = Threads.in(at.scene.threads);
    var question = Scene.request(at.conversation.view());
    at.scene.limits = at.scene.limits.commandTimeout(Duration.ofHours(1));
    var other =
        at.scene
            .terminal()
            .open(at.session.record().id(), at.scene.environment)
            .orElseThrow()
            .conversation(at.conversation.id())
            .orElseThrow();
    var late = other.approve(question.digest().hex(), "");
    assertNothingStarted(at, late, "time limit");

    // Back to the plan, which is changed; the command stays the same.
    var history = threads.history(at.conversation.id(), Optional.empty(), 100);
    threads.rewind(at.conversation.id(), history.getLast().id());
    at.scene.model =
        dev.superstep.model.ScriptedModel.saying(
            Scene.plan("Run the tool twice"), Scene.last(COMMAND));
    var anew =
        at.scene
            .terminal()
            .open(at.session.record().id(), at.scene.environment)
            .orElseThrow()
            .conversation(at.conversation.id())
            .orElseThrow();
    anew.advance();
    var asked = Scene.request(anew.decide(new PlanDecision.Accept()));
    assertThat(asked.digest().changes(Scene.request(late).digest())).contains("plan");
    var stale = Scene.request(late).digest().hex();
    assertThatThrownBy(() -> anew.approve(stale, "")).isInstanceOf(NotApproved.class);
    assertThat(at.scene.runner.started).isEmpty();
  }

  @Test
  void an_approval_counts_for_one_start() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print a word"), Scene.last("echo a"));
    var terminal = scene.terminal();
    var conversation = terminal.open(folder, scene.environment).ask("Print a word");
    conversation.advance();
    var request = Scene.request(conversation.decide(new PlanDecision.Accept()));
    var grant = terminal.approvals().grant(request.digest().hex());
    conversation.decide(new Decision.Approve(grant));
    assertThat(scene.runner.started).containsExactly("echo a");
    conversation.takeBack();
    var again = conversation.decide(new Decision.Approve(grant));
    assertThat(scene.runner.started).hasSize(1);
    assertThat(Scene.request(again).changed()).asString().contains("used");
  }
}
