package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.model.Environment;
import dev.superstep.tool.ToolError;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P35")
@Timeout(120)
class WorkspaceCommandsTest {
  @TempDir Path temp;
  private Path root;
  private Workspace workspace;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
    workspace = Workspace.at(root);
  }

  @Test
  void only_allowed_commands_run() {
    var echo = workspace.commands(AllowedCommand.named("echo"));
    assertThat(echo.check(List.of("echo", "a")).getFileName()).hasToString("echo");
    for (var command :
        List.of(
            List.of("rm", "-rf", "/"),
            List.of("echo; rm"),
            List.of("echo a"),
            List.of("Echo"),
            List.of("./echo"),
            List.of("/bin/echo"),
            List.of("../bin/echo"),
            List.of(""),
            List.of("echo", "a\0b"),
            List.<String>of())) {
      assertThatThrownBy(() -> echo.check(command))
          .as(command.toString())
          .isInstanceOfSatisfying(
              ToolError.ForbiddenCommand.class,
              e -> assertThat(e.allowed()).containsExactly("echo"));
    }
    assertThatThrownBy(() -> workspace.run(List.of("echo")))
        .isInstanceOf(ToolError.ForbiddenCommand.class)
        .hasMessageContaining("No command is allowed here");
  }

  @Test
  void a_program_may_be_allowed_with_some_subcommands_only() {
    var git =
        workspace.commands(AllowedCommand.named("echo").only("status", "diff").options("--stat"));
    assertThat(git.check(List.of("echo", "diff", "--stat"))).isAbsolute();
    for (var command :
        List.of(List.of("echo"), List.of("echo", "push"), List.of("echo", "-C", "/", "status"))) {
      assertThatThrownBy(() -> git.check(command))
          .as(command.toString())
          .isInstanceOf(ToolError.ForbiddenCommand.class)
          .hasMessageContaining("Allowed: echo status|diff [--stat].");
    }
  }

  @Test
  void an_argument_is_an_option_that_was_allowed_or_leads_into_the_workspace() {
    var echo = workspace.commands(AllowedCommand.named("echo").options("-l", "--max="));
    for (var word : List.of("-l", "--max=3", "--max=", "a.txt", "x/y", "HEAD~1", "a=b", "main:x")) {
      assertThat(echo.check(List.of("echo", word))).as(word).isAbsolute();
    }
    for (var word : List.of("-la", "-", "--", "--maximum=3", "-x", "--l")) {
      assertThatThrownBy(() -> echo.check(List.of("echo", word)))
          .as(word)
          .isInstanceOf(ToolError.ForbiddenCommand.class);
    }
    for (var word :
        List.of(
            "/etc/passwd", "../x", "if=/etc/passwd", "@/etc/passwd", "a:../../x", "~/x", "x,/y")) {
      assertThatThrownBy(() -> echo.check(List.of("echo", word)))
          .as(word)
          .isInstanceOf(ToolError.PathEscape.class);
    }
    var both = echo.commands(AllowedCommand.named("echo").anyArguments());
    assertThat(both.check(List.of("echo", "/etc/passwd", "-x"))).isAbsolute();
    assertThatThrownBy(() -> AllowedCommand.named("ls").options("l"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an option begins with `-`");
  }

  @Test
  void a_program_of_the_workspace_is_not_on_the_search_path_of_commands() throws Exception {
    var bin = Files.createDirectories(root.resolve("bin"));
    var env = Environment.of(Map.of("PATH", bin + File.pathSeparator + "/usr/bin:/bin"));
    var shown = Workspace.at(root, env).commands(AllowedCommand.named("env"));
    assertThat(shown.run(List.of("env")).out().text()).contains("PATH=/usr/bin:/bin\n");
  }

  @Test
  void a_command_runs_in_the_root_without_a_shell() throws InterruptedException {
    var echo =
        workspace.commands(
            AllowedCommand.named("echo").anyArguments(), AllowedCommand.named("pwd"));
    var result = echo.run(List.of("echo", "$HOME", "*", "a  b; ls"));
    assertThat(result.isGood()).isTrue();
    assertThat(result.out()).isEqualTo(new CommandResult.Output("$HOME * a  b; ls\n", false));
    assertThat(result.err().text()).isEmpty();
    assertThat(echo.run(List.of("pwd")).out().text().strip()).isEqualTo(root.toString());
  }

  @Test
  void a_non_zero_exit_code_is_a_result() throws InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    var allowed = workspace.commands(AllowedCommand.at(java).anyArguments());
    var good = allowed.run(List.of(java.toString(), "-version"));
    assertThat(good.ended()).isEqualTo(new CommandResult.Ended.Exited(0));
    assertThat(good.err().text()).contains("Runtime Environment");
    var bad = allowed.run(List.of(java.toString(), "-jar", "none.jar"));
    assertThat(bad.ended()).isEqualTo(new CommandResult.Ended.Exited(1));
    assertThat(bad.isGood()).isFalse();
    assertThat(bad.err().text()).contains("none.jar");
  }

  @Test
  void a_program_that_does_not_start_is_an_error() throws IOException {
    var broken = Files.writeString(temp.resolve("broken"), "no program");
    assertThat(broken.toFile().setExecutable(true)).isTrue();
    var allowed = workspace.commands(AllowedCommand.at(temp.resolve("none")));
    assertThatThrownBy(() -> allowed.run(List.of(temp.resolve("none").toString())))
        .isInstanceOf(ToolError.Io.class);
  }

  @Test
  void a_program_in_the_workspace_does_not_take_the_name_of_another() throws Exception {
    var bin = Files.createDirectories(root.resolve("bin"));
    program(bin.resolve("echo"));
    program(root.resolve("echo"));
    var shadowed = from(bin + File.pathSeparator + "/usr/bin:/bin");
    assertThatThrownBy(() -> shadowed.check(List.of("echo")))
        .isInstanceOf(ToolError.ForbiddenCommand.class)
        .hasMessageContaining("a file of the workspace itself");
    var links = Files.createDirectories(temp.resolve("links"));
    Files.createSymbolicLink(links.resolve("echo"), bin.resolve("echo"));
    assertThatThrownBy(() -> from(links.toString()).check(List.of("echo")))
        .isInstanceOf(ToolError.ForbiddenCommand.class);
    Files.delete(bin.resolve("echo"));
    Files.createSymbolicLink(bin.resolve("echo"), Path.of("/bin/echo"));
    assertThatThrownBy(() -> shadowed.check(List.of("echo")))
        .isInstanceOf(ToolError.ForbiddenCommand.class);
    var relative = from(".::bin" + File.pathSeparator + "/usr/bin:/bin");
    assertThat(relative.check(List.of("echo")).startsWith(root)).isFalse();
    assertThat(relative.run(List.of("echo", "real")).out().text()).isEqualTo("real\n");
    assertThatThrownBy(() -> from("").check(List.of("echo")))
        .isInstanceOf(ToolError.ForbiddenCommand.class)
        .hasMessageContaining("not installed");
  }

  private Workspace from(String searchPath) {
    return Workspace.at(root, Environment.of(Map.of("PATH", searchPath)))
        .commands(AllowedCommand.named("echo"));
  }

  private static void program(Path file) throws IOException {
    Files.writeString(file, "#!/bin/sh\necho shadow\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void a_command_sees_only_the_variables_that_it_is_given() throws InterruptedException {
    var surroundings =
        Environment.of(
            Map.of("PATH", "/usr/bin:/bin", "API_KEY", "hidden", "LANG", "C", "SHOWN", "yes"));
    var env = Workspace.at(root, surroundings).commands(AllowedCommand.named("env"));
    assertThat(seen(env)).containsExactlyInAnyOrder("PATH=/usr/bin:/bin", "LANG=C");
    var more = env.passing("SHOWN", "UNSET").variable("MODE", "test");
    assertThat(seen(more))
        .containsExactlyInAnyOrder("PATH=/usr/bin:/bin", "LANG=C", "SHOWN=yes", "MODE=test");
  }

  /// Without the one by which what it leaves behind is found.
  private static List<String> seen(Workspace env) throws InterruptedException {
    var all = env.run(List.of("env")).out().text().lines().toList();
    assertThat(all).anyMatch(line -> line.startsWith("SUPERSTEP_COMMAND="));
    return all.stream().filter(line -> !line.startsWith("SUPERSTEP_COMMAND=")).toList();
  }

  @Test
  void a_command_has_nothing_to_read() throws InterruptedException {
    var cat = workspace.commands(AllowedCommand.named("cat"));
    assertThat(cat.run(List.of("cat")).isGood()).isTrue();
  }

  @Test
  void long_output_is_cut_and_does_not_block_the_command() throws Exception {
    Files.writeString(root.resolve("long.txt"), "ä".repeat(1_000_000));
    var cat =
        workspace
            .commands(AllowedCommand.named("cat"))
            .limits(WorkspaceLimits.standard().commands(Duration.ofMinutes(1), 1_001));
    var result = cat.run(List.of("cat", "long.txt"));
    assertThat(result.isGood()).isTrue();
    assertThat(result.out()).isEqualTo(new CommandResult.Output("ä".repeat(500), true));
    var whole =
        workspace
            .commands(AllowedCommand.named("cat"))
            .limits(WorkspaceLimits.standard().commands(Duration.ofMinutes(1), 3_000_000));
    assertThat(whole.run(List.of("cat", "long.txt")).out())
        .isEqualTo(new CommandResult.Output("ä".repeat(1_000_000), false));
  }

  @Test
  void a_command_that_takes_too_long_is_killed_with_what_it_started() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = threads.submit(() -> sleeping(Duration.ofSeconds(3), "7311"));
      var inner = inner("7311", running);
      var result = running.get(60, TimeUnit.SECONDS);
      assertThat(result.ended()).isEqualTo(new CommandResult.Ended.TimedOut(Duration.ofSeconds(3)));
      assertThat(result.isGood()).isFalse();
      assertThat(inner.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @Test
  void a_command_is_killed_with_what_it_started_when_its_caller_is_interrupted() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = threads.submit(() -> sleeping(Duration.ofMinutes(2), "7312"));
      var inner = inner("7312", running);
      running.cancel(true);
      assertThat(inner.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 7313 &",
        "setsid sleep 7313 &",
        "(setsid sh -c 'sleep 7313 & sleep 7313' &) >/dev/null 2>&1",
        "nohup setsid sleep 7313 </dev/null >/dev/null 2>&1 & exit 3"
      })
  void what_a_command_leaves_running_is_killed(String script) throws Exception {
    assumeThat(File.separatorChar).as("needs a shell and /proc").isEqualTo('/');
    var shell = workspace.commands(AllowedCommand.named("sh").anyArguments());
    var result = shell.run(List.of("sh", "-c", script));
    assertThat(result.strays()).isPositive();
    assertThat(ProcessHandle.allProcesses().filter(one -> isSleep(one, "7313"))).isEmpty();
    assertThat(shell.run(List.of("sh", "-c", "true")).strays()).isZero();
  }

  /// A program that starts another one.
  private CommandResult sleeping(Duration limit, String seconds) throws InterruptedException {
    return workspace
        .commands(AllowedCommand.named("timeout"))
        .limits(WorkspaceLimits.standard().commands(limit, 100))
        .run(List.of("timeout", "9000", "sleep", seconds));
  }

  private static ProcessHandle inner(String seconds, Future<?> running) {
    while (!running.isDone()) {
      var found =
          ProcessHandle.current().descendants().filter(one -> isSleep(one, seconds)).findAny();
      if (found.isPresent()) return found.get();
      Thread.onSpinWait();
    }
    throw new AssertionError("the command ended before it started another");
  }

  private static boolean isSleep(ProcessHandle one, String seconds) {
    return one.info().arguments().map(List::of).orElse(List.of()).equals(List.of(seconds));
  }
}
