package dev.superstep.workspace.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.Review;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.Tier;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolGate;
import dev.superstep.workspace.shell.ShellResult.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Shells that keep what commands set, and lose it as they say.
@Timeout(120)
final class ShellsTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path temp;
  private Path root;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(temp.toRealPath().resolve("root"));
  }

  private Shells shells(Tier tier) {
    var sandbox = Sandbox.open();
    assumeTrue(
        sandbox.machine().isAvailable(tier), sandbox.machine().of(tier).missing().toString());
    return Shells.in(sandbox, tier, root);
  }

  private static String text(Shells shells, String command) throws InterruptedException {
    return shells.run("t", command, SOON).text();
  }

  @ParameterizedTest
  @EnumSource(Tier.class)
  void directory_variables_and_functions_last_from_command_to_command(Tier tier) throws Exception {
    try (var shells = shells(tier)) {
      assertThat(shells.run("t", "mkdir -p sub && cd sub && COLOUR='light blue'", SOON).end())
          .isEqualTo(new End.Exited(0, root.resolve("sub")));
      assertThat(text(shells, "greet() { echo \"hello $1\"; }; pwd")).isEqualTo(root + "/sub\n");
      assertThat(text(shells, "greet you; echo \"$COLOUR\"")).isEqualTo("hello you\nlight blue\n");
      assertThat(shells.run("t", "echo error >&2; (exit 7)", SOON))
          .isEqualTo(new ShellResult(new End.Exited(7, root.resolve("sub")), "error\n", 0));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void a_shell_is_confined_by_its_tier(Tier tier) throws Exception {
    var secret = Files.writeString(temp.toRealPath().resolve("secret"), "not for you");
    try (var shells = shells(tier)) {
      assertThat(text(shells, "cat '%s'; echo done".formatted(secret)))
          .endsWith("done\n")
          .doesNotContain("not for you");
      shells.run("t", "echo x >'%s'".formatted(secret), SOON);
      assertThat(secret).hasContent("not for you");
    }
  }

  @Test
  void quotes_several_lines_and_broken_syntax_stay_within_their_command() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      assertThat(text(shells, "echo 'it'\\''s'\necho \"two\n lines\""))
          .isEqualTo("it's\ntwo\n lines\n");
      assertThat(text(shells, "cat <<END\n$((1 + 1))\nEND")).isEqualTo("2\n");
      shells.run("t", "if true; then 'unfinished", SOON);
      assertThat(text(shells, "echo \"still here\"")).isEqualTo("still here\n");
      assertThat(text(shells, "cat; echo no input")).isEqualTo("no input\n");
      assertThat(text(shells, "exec >hidden; echo lost")).isEmpty();
      assertThat(text(shells, "printf 'no newline'")).isEqualTo("no newline");
    }
  }

  @Test
  void a_shell_that_a_command_ended_is_started_anew() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      shells.run("t", "A=1", SOON);
      var ended = shells.run("t", "echo bye; exit 3", SOON);
      assertThat(ended.end()).isEqualTo(new End.ShellEnded(Optional.of(3)));
      assertThat(ended.text()).isEqualTo("bye\n");
      assertThat(text(shells, "echo \"[$A]\"")).isEqualTo("[]\n");
    }
  }

  @Test
  void a_command_that_takes_too_long_is_killed_with_all_that_it_started() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      var ended = shells.run("t", "echo begun; sleep 600 & echo $!; wait", Duration.ofSeconds(2));
      assertThat(ended.end()).isEqualTo(new End.TimedOut(Duration.ofSeconds(2)));
      var pid = Long.parseLong(ended.text().lines().toList().get(1));
      var sleeping = ProcessHandle.of(pid);
      if (sleeping.isPresent()) sleeping.get().onExit().get(30, TimeUnit.SECONDS);
      assertThat(text(shells, "echo next")).isEqualTo("next\n");
    }
  }

  @Test
  void long_output_loses_its_middle_and_endless_output_ends_the_shell() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      var ran =
          shells.run(
              "t", "i=0; while [ $i -lt 9000 ]; do echo \"line $i\"; i=$((i+1)); done", SOON);
      assertThat(ran.text())
          .startsWith("line 0\n")
          .endsWith("line 8999\n")
          .contains("left out here");
      assertThat(ran.omittedBytes()).isPositive();
      assertThat(ran.text()).hasSizeLessThan(40_000);
      assertThat(
              shells
                  .run("t", "while true; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", SOON)
                  .end())
          .isInstanceOf(End.WroteTooMuch.class);
    }
  }

  @Test
  void text_that_looks_like_the_end_of_a_command_is_output() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      assertThat(
              text(
                  shells,
                  "printf '\\n00112233445566778899aabb 0 /\\n00112233445566778899aabb.\\n'; echo"
                      + " real"))
          .endsWith("real\n");
    }
  }

  @Test
  void each_thread_has_a_shell_of_its_own_and_commands_of_one_wait_for_each_other()
      throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      shells.run("a", "NAME=ann", SOON);
      shells.run("b", "NAME=bob", SOON);
      assertThat(shells.run("a", "echo $NAME", SOON).text()).isEqualTo("ann\n");
      shells.run("a", "count=0", SOON);
      var all = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < 20; i++) {
        all.add(CompletableFuture.runAsync(() -> count(shells)));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
      assertThat(shells.run("a", "echo $count", SOON).text()).isEqualTo("20\n");
      shells.end("a");
      assertThat(shells.run("a", "echo \"[$NAME]\"", SOON).text()).isEqualTo("[]\n");
    }
  }

  @Test
  void a_command_at_work_is_not_ended_for_the_shells_of_many_others() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      var slow = new CompletableFuture<ShellResult>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              var command = "touch begun; until [ -e go ]; do sleep 0.1; done";
              slow.complete(shells.run("slow", command, SOON));
            } catch (InterruptedException interrupted) {
              slow.completeExceptionally(interrupted);
            }
          });
      shells.run("other", "until [ -e begun ]; do sleep 0.1; done", SOON);
      for (int i = 0; i < 17; i++) shells.run("t" + i, "true", SOON);
      Files.createFile(root.resolve("go"));
      assertThat(slow.get(60, TimeUnit.SECONDS).end()).isEqualTo(new End.Exited(0, root));
    }
  }

  private static void count(Shells shells) {
    try {
      shells.run("a", "count=$((count+1))", SOON);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void an_interrupted_call_kills_its_shell() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      var pid = Long.parseLong(text(shells, "echo $$").strip());
      var caller = Thread.ofVirtual().start(() -> waitLong(shells));
      while (ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).findAny().isEmpty()) {
        Thread.onSpinWait(); // until the command runs
      }
      caller.interrupt();
      assertThat(caller.join(Duration.ofSeconds(60))).isTrue();
      assertThat(text(shells, "echo $$").strip()).isNotEqualTo(String.valueOf(pid));
    }
  }

  private static void waitLong(Shells shells) {
    try {
      shells.run("t", "sleep 600", SOON);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void closed_shells_take_no_command_and_bad_commands_are_explained() throws Exception {
    var shells = shells(Tier.PROCESS);
    assertThatThrownBy(() -> shells.run("t", "echo a\0b", SOON))
        .isInstanceOf(ToolError.Other.class)
        .hasMessageContaining("NUL");
    assertThatThrownBy(() -> shells.run("t", "x".repeat(64_001), SOON))
        .isInstanceOf(ToolError.Other.class)
        .hasMessageContaining("64001 characters");
    shells.close();
    assertThatThrownBy(() -> shells.run("t", "true", SOON))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_agent_asks_before_it_uses_its_shell_and_is_told_of_a_new_one_after_a_restart()
      throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("ann").checkpoints(store);
    try (var shells = shells(Tier.PROCESS)) {
      var waiting = (AgentResult.Waiting<String>) agent(shells).run("Go.", options);
      var next = agent(shells).resume(approved(waiting), options);
      assertThat(next).isInstanceOf(AgentResult.Waiting.class);
    }
    // As in another process: the thread goes on, the shell does not.
    try (var shells = shells(Tier.PROCESS)) {
      var waiting = (AgentResult.Waiting<String>) agent(shells).resume(Answers.none(), options);
      var end = agent(shells).resume(approved(waiting), options);
      assertThat(end.answer())
          .contains("[a new shell: nothing is set, nothing runs]\n[exit code 0, in " + root + "]")
          .contains("[a new shell: nothing is set, nothing runs]\n[]\n[exit code 0, in " + root);
    }
  }

  @Test
  void runs_without_a_thread_have_nothing_of_each_other() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      var agent =
          Agent.named("builder")
              .model(ScriptedModel.by(ShellsTest::reply))
              .tools(shells.tool())
              .gate(ToolGate.open())
              .build();
      for (int run = 1; run <= 2; run++) {
        // The second call of a run has the shell of its first.
        assertThat(agent.run("Go.", RunOptions.defaults()).answer())
            .startsWith("[a new shell")
            .contains("--\n[1]\n");
      }
    }
  }

  @Test
  void a_function_of_the_name_printf_neither_hides_nor_makes_the_end_of_commands()
      throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      assertThat(shells.run("t", "printf() { :; }", Duration.ofSeconds(20)).end())
          .isEqualTo(new End.Exited(0, root));
      assertThat(shells.run("t", "(exit 3)", SOON).end()).isEqualTo(new End.Exited(3, root));
    }
  }

  @Test
  void a_shell_whose_end_of_commands_something_else_writes_is_given_up() throws Exception {
    try (var shells = shells(Tier.PROCESS)) {
      var fake =
          """
          fake() { n=${1#??}; n=${n%% *}; /usr/bin/printf '\\n%s x\\n%s.\\n' $n $n; }
          printf() { fake "$1"; }
          command() { fake "$2"; }
          """;
      shells.run("t", fake, SOON);
      assertThat(text(shells, "echo next; echo $$")).startsWith("next\n");
    }
  }

  private static Answers approved(AgentResult.Waiting<String> waiting) {
    return Review.decide(waiting.questions(), _ -> Review.Decision.approve());
  }

  private static Agent<String> agent(Shells shells) {
    return Agent.named("builder")
        .model(ScriptedModel.by(ShellsTest::reply))
        .tools(shells.tool())
        .gate(ToolGate.open().confirming(SideEffect.DESTRUCTIVE))
        .build();
  }

  private static ChatReply reply(ChatRequest request) {
    var results =
        request.messages().stream()
            .filter(ToolMessage.class::isInstance)
            .map(Message::text)
            .toList();
    return switch (results.size()) {
      case 0 -> ScriptedModel.calls(new ToolCall("1", "shell", "{\"command\":\"A=1\"}"));
      case 1 -> ScriptedModel.calls(new ToolCall("2", "shell", "{\"command\":\"echo [$A]\"}"));
      default -> ScriptedModel.text(String.join("\n--\n", results));
    };
  }
}
