package dev.superstep.cli.conversation;

import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.SandboxResult;
import dev.superstep.sandbox.SandboxResult.Ended;
import dev.superstep.terminal.CommandResult;
import dev.superstep.terminal.CommandResult.ExecutionError;
import dev.superstep.terminal.CommandRunner;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.undo.Change;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// Runs approved commands in the sandbox, and stops them when a person wants that. Safe for many
/// threads.
final class StoppableRunner implements CommandRunner {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int LOOKS_MAX = 250;

  private final Sandbox sandbox;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile boolean expected;
  private volatile Consumer<String> notices = _ -> {};

  StoppableRunner(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  /// Sets who hears what should be known of a command that ran.
  StoppableRunner telling(Consumer<String> who) {
    notices = who;
    return this;
  }

  /// Says whether a command is about to run, as the status shows it: a person who stops it then
  /// means the command.
  void expect(boolean isDue) {
    expected = isDue;
    if (!isDue) stopped.set(false);
  }

  /// Tells people what a command changed.
  void changed(Change change) {
    int paths = change.paths().size();
    if (paths == 0) return;
    notices.accept(
        "changed %d path%s of the workspace (change %d; `undo` takes it back)"
            .formatted(paths, paths == 1 ? "" : "s", change.id()));
  }

  /// Stops the command that runs, or that is about to.
  ///
  /// @return whether there is one
  public boolean stop() {
    if (running.get() == 0 && !expected) return false;
    stopped.set(true);
    return true;
  }

  /// Stops the command that runs, and waits until its processes are gone, since this one is about
  /// to end.
  void end() {
    if (running.get() == 0 || !stop()) return;
    for (int i = 0; i < LOOKS_MAX && running.get() > 0; i++) LockSupport.parkNanos(LOOK.toNanos());
  }

  @Override
  public CommandResult run(Execution execution) throws InterruptedException {
    running.incrementAndGet();
    try {
      return result(confined(execution));
    } catch (SandboxError e) {
      // Nothing falls back to another tier: the command did not start.
      return failed(String.valueOf(e.getMessage()));
    } finally {
      expected = false;
      stopped.set(false);
      running.decrementAndGet();
    }
  }

  private SandboxResult confined(Execution execution) throws InterruptedException {
    var command =
        SandboxCommand.of(execution.confinement().tier(), execution.directory(), execution.argv())
            .variables(execution.environment())
            .input(execution.stdin().getBytes(StandardCharsets.UTF_8))
            .timeout(execution.timeout());
    if (!execution.confinement().isReadOnly()) command = command.writing(execution.workspace());
    if (execution.confinement().refusesMetadata()) command = command.lockingMetadata();
    return sandbox.run(command, stopped::get);
  }

  private static CommandResult failed(String message) {
    var error = Optional.of(ExecutionError.EXECUTION_FAILED);
    return new CommandResult(-1, "", message, false, error, Duration.ZERO);
  }

  private CommandResult result(SandboxResult result) {
    var denials = result.denials().stream().map(Object::toString).toList();
    for (var denial : denials) notices.accept("The sandbox may have refused something: " + denial);
    for (var path : result.protectedChanges()) {
      notices.accept("A protected file has changed meanwhile: " + path);
    }
    var out = result.out().text();
    var err = result.err().text();
    boolean isCut = result.out().isCut() || result.err().isCut();
    return switch (result.ended()) {
      case Ended.Exited(var code) -> {
        var ended = CommandResult.ended(code, out, err, result.took());
        yield new CommandResult(code, out, err, isCut, ended.error(), result.took());
      }
      case Ended.TimedOut _ ->
          new CommandResult(
              -1, out, err, isCut, Optional.of(ExecutionError.TIMEOUT), result.took());
      case Ended.Cancelled _ ->
          new CommandResult(
              -1,
              out,
              err + "\n(stopped by a person)",
              isCut,
              Optional.of(ExecutionError.EXECUTION_FAILED),
              result.took());
      case Ended.Signaled _, Ended.OutputExceeded _ ->
          new CommandResult(
              -1, out, err, isCut, Optional.of(ExecutionError.EXECUTION_FAILED), result.took());
    };
  }
}
