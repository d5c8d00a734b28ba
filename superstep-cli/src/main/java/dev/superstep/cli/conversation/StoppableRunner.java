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
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.undo.ChangeTracker;
import dev.superstep.terminal.undo.OutsideEffects;
import dev.superstep.terminal.undo.UndoFailed;
import dev.superstep.terminal.undo.UndoLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Runs approved commands in the sandbox, records what they change so that it can be undone, and
/// stops them when a person wants that. Safe for many threads.
final class StoppableRunner implements CommandRunner {
  private static final int LABEL_MAX = 200;
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int LOOKS_MAX = 250;

  private final Sandbox sandbox;
  private final TerminalFiles files;
  private final UnaryOperator<String> redact;
  private final InstantSource clock;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile boolean expected;
  private volatile Consumer<String> notices = _ -> {};

  /// @param redact takes secrets out of what is recorded
  public StoppableRunner(
      Sandbox sandbox, TerminalFiles files, UnaryOperator<String> redact, InstantSource clock) {
    this.sandbox = sandbox;
    this.files = files;
    this.redact = redact;
    this.clock = clock;
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
      return result(watched(execution));
    } catch (SandboxError e) {
      // Nothing falls back to another tier: the command did not start.
      return failed(String.valueOf(e.getMessage()));
    } finally {
      expected = false;
      stopped.set(false);
      running.decrementAndGet();
    }
  }

  private SandboxResult watched(Execution execution) throws InterruptedException {
    ChangeTracker changes;
    try {
      changes =
          ChangeTracker.open(execution.workspace(), files.changes(), UndoLimits.standard(), clock);
    } catch (UndoFailed e) {
      if (Thread.interrupted()) throw new InterruptedException("the conversation is aborted");
      notices.accept("What this command changes cannot be undone: " + e.getMessage());
      return confined(execution);
    }
    try (changes) {
      var _ = changes.begin(label(execution), outside(execution));
      try {
        return confined(execution);
      } finally {
        finish(changes);
      }
    }
  }

  private void finish(ChangeTracker changes) {
    var change = changes.finish();
    if (change.paths().isEmpty() && change.outside().isEmpty()) {
      changes.forget(change.id());
      return;
    }
    if (change.paths().isEmpty()) return;
    notices.accept(
        "changed %d path%s of the workspace (change %d; `undo` takes it back)"
            .formatted(change.paths().size(), change.paths().size() == 1 ? "" : "s", change.id()));
  }

  private String label(Execution execution) {
    var text = redact.apply(execution.script());
    return text.length() <= LABEL_MAX
        ? text
        : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, LABEL_MAX)));
  }

  private static List<String> outside(Execution execution) {
    var home = Path.of(execution.environment().getOrDefault("HOME", "/"));
    var context = RiskContext.of(execution.workspace(), execution.directory(), home);
    var script = ShellScript.parse(execution.script());
    return OutsideEffects.of(RiskAssessor.standard().assess(script, context), context);
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
