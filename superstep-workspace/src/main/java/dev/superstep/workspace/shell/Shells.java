package dev.superstep.workspace.shell;

import dev.superstep.lock.Mutex;
import dev.superstep.node.ContextKey;
import dev.superstep.sandbox.OutputLimits;
import dev.superstep.sandbox.ProcessLimits;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.Tier;
import dev.superstep.schema.Description;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.workspace.shell.ShellResult.End;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// Shells that live over many tool calls, one for each thread of an agent, in a tier of the
/// sandbox; a run without a thread has one of its own, which ends with it. A command changes the
/// directory and sets variables for the next one; an agent that waits or resumes elsewhere gets a
/// new shell, and is told so.
///
/// ```java
/// try (var shells = Shells.in(Sandbox.open(), Tier.BUBBLEWRAP, project)) {
///   var agent = Agent.named("builder").model(model)
///       .tools(shells.tool())
///       .gate(ToolGate.open().confirming(SideEffect.DESTRUCTIVE))
///       .build();
///   agent.run("Why does the build fail?");
/// }
/// ```
///
/// A shell runs whatever the model writes, so the tier is what holds: on [Tier#PROCESS] files and
/// the network are open to it. Safe for many threads.
public final class Shells implements AutoCloseable {
  private static final int COMMAND_MAX = 64_000;
  private static final int SHELLS_MOST = 16;
  private static final Duration LIFE = Duration.ofDays(365);
  private static final Duration USUAL = Duration.ofMinutes(2);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final Sandbox sandbox;
  private final SandboxCommand command;
  private final Mutex lock = new Mutex();
  private final Map<String, Shell> byThread = new LinkedHashMap<>(16, 0.75f, true);
  private final ContextKey<Alone> alone = ContextKey.of("shell " + UUID.randomUUID(), Alone.class);
  private boolean isClosed;

  private Shells(Sandbox sandbox, SandboxCommand command) {
    this.sandbox = sandbox;
    this.command = command;
  }

  record RunInShell(
      @Description("One or more commands for a POSIX shell") String command,
      @Description("The most seconds that it may take, from 1 to 600; 120 unless given")
          Optional<Integer> seconds) {}

  /// The shell of a run without a thread, which ends with the run.
  private record Alone(Shells shells, String name) implements AutoCloseable {
    static Alone in(Shells shells) {
      return new Alone(shells, "run " + UUID.randomUUID());
    }

    @Override
    public void close() {
      shells.end(name);
    }
  }

  /// Shells that may write below their directory and in no other place.
  ///
  /// @param directory where they start; absolute
  /// @throws dev.superstep.sandbox.SandboxError if this machine cannot hold that tier
  public static Shells in(Sandbox sandbox, Tier tier, Path directory) {
    return in(sandbox, tier, directory, command -> command.writing(directory));
  }

  /// Shells with rights of your choice: more places to read and write, variables, a relay to the
  /// network, limits. The command's time limit does not count; its output limits hold for each
  /// command of a shell.
  ///
  /// @param directory where they start; absolute
  /// @param rights changes the command that starts a shell, which may write nowhere
  /// @throws dev.superstep.sandbox.SandboxError if this machine cannot hold that tier
  public static Shells in(
      Sandbox sandbox, Tier tier, Path directory, UnaryOperator<SandboxCommand> rights) {
    sandbox.require(tier);
    var command = rights.apply(SandboxCommand.of(tier, directory, "sh").output(output()));
    var limits = command.limits();
    boolean isUsual = limits.equals(ProcessLimits.standard());
    var living = command.timeout(LIFE).limits(isUsual ? limits.cpu(LIFE) : limits);
    return new Shells(sandbox, living);
  }

  private static OutputLimits output() {
    return OutputLimits.standard().keeping(16_000, 16_000);
  }

  /// `shell`: runs commands in the shell of the agent's thread.
  public Tool tool() {
    return Tool.of(
            "shell",
            "Runs commands in a shell that keeps its directory, variables and functions between"
                + " calls. It has no input and no terminal.",
            RunInShell.class,
            (asked, context) -> run(asked, context))
        .withTimeout(LONGEST.plus(SLACK))
        .withPolicy(
            ToolPolicy.of(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE, SideEffect.NETWORK));
  }

  private ToolResult run(RunInShell asked, ToolContext context) throws InterruptedException {
    var most = asked.seconds().map(Duration::ofSeconds).orElse(USUAL);
    if (most.compareTo(Duration.ofSeconds(1)) < 0 || most.compareTo(LONGEST) > 0) {
      throw new ToolError.Other("seconds", "It must be from 1 to " + LONGEST.toSeconds() + ".");
    }
    var node = context.node();
    var thread = node.thread().orElseGet(() -> node.shared(alone, () -> Alone.in(this)).name());
    var ran = ran(thread, asked.command(), most);
    return toolResult(ran.result(), ran.isNew());
  }

  private static String checked(String command) {
    if (command.length() > COMMAND_MAX) {
      throw new ToolError.Other(
          "command",
          "It has %d characters; the most is %d. Write a file and run that."
              .formatted(command.length(), COMMAND_MAX));
    }
    if (command.indexOf('\0') >= 0) {
      throw new ToolError.Other("command", "It has the character NUL, which no shell takes.");
    }
    return command;
  }

  /// Runs commands in the shell of a thread, as the tool does.
  ///
  /// @param thread the thread's id
  /// @param most the most time that they may take
  /// @throws InterruptedException if the calling thread is interrupted; the shell is killed then
  /// @throws dev.superstep.sandbox.SandboxError if the shell cannot be started
  public ShellResult run(String thread, String commands, Duration most)
      throws InterruptedException {
    return ran(thread, commands, most).result();
  }

  private Shell.Run ran(String thread, String commands, Duration most) throws InterruptedException {
    var text = checked(commands);
    var shell = used(thread);
    try {
      return shell.run(text, most);
    } finally {
      shell.release();
    }
  }

  /// Ends the shell of a thread, if there is one, with everything that it started.
  public void end(String thread) {
    Shell shell;
    try (var _ = lock.hold()) {
      shell = byThread.remove(thread);
    }
    if (shell != null) shell.close();
  }

  /// The shell of a thread, which is not ended for the sake of others until it is released.
  private Shell used(String thread) {
    var ended = new ArrayList<Shell>();
    try (var _ = lock.hold()) {
      if (isClosed) throw new IllegalStateException("The shells are closed.");
      var shell = byThread.computeIfAbsent(thread, _ -> new Shell(sandbox, command));
      shell.use();
      var oldest = byThread.values().iterator();
      while (byThread.size() > SHELLS_MOST && oldest.hasNext()) {
        var one = oldest.next();
        if (one.isUsed()) continue;
        ended.add(one);
        oldest.remove();
      }
      return shell;
    } finally {
      ended.forEach(Shell::close);
    }
  }

  private static ToolResult toolResult(ShellResult result, boolean isNew) {
    var text = new StringBuilder();
    if (isNew) text.append("[a new shell: nothing is set, nothing runs]\n");
    text.append(result.text());
    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') text.append('\n');
    return switch (result.end()) {
      case End.Exited(var code, var directory) ->
          ToolResult.of(text + "[exit code %d, in %s]".formatted(code, directory));
      case End.ShellEnded(var code) ->
          ToolResult.of(
              text
                  + "[the shell ended%s; the next command starts a new one]"
                      .formatted(code.map(c -> " with exit code " + c).orElse("")));
      case End.TimedOut(var after) ->
          ToolResult.error(
              text
                  + "[killed after %d s, with the shell and all that it had started; the next command starts a new one]"
                      .formatted(after.toSeconds()));
      case End.WroteTooMuch(var bytes) ->
          ToolResult.error(
              text
                  + "[killed after %d bytes of output, with the shell; write to a file instead]"
                      .formatted(bytes));
    };
  }

  /// Ends all shells with everything that they started.
  @Override
  public void close() {
    List<Shell> all;
    try (var _ = lock.hold()) {
      isClosed = true;
      all = List.copyOf(byThread.values());
      byThread.clear();
    }
    all.forEach(Shell::close);
  }

  @Override
  public String toString() {
    return "Shells[" + command.tier() + ", " + command.directory() + "]";
  }
}
