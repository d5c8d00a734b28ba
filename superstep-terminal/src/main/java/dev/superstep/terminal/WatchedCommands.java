package dev.superstep.terminal;

import dev.superstep.terminal.CommandNodes.Ending;
import dev.superstep.terminal.CommandResult.ExecutionError;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.undo.OutsideEffects;
import dev.superstep.terminal.undo.UndoFailed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Runs commands so that what they change in the workspace can be taken back, and says beforehand
/// what cannot. Safe for many threads.
final class WatchedCommands {
  private static final int LABEL_MAX = 200;
  private static final String NOTHING = "nothing that it changes is undone: ";

  private final TerminalParts parts;

  WatchedCommands(TerminalParts parts) {
    this.parts = parts;
  }

  /// Sentences, for whoever decides on a command, about all that no undo takes back of it.
  List<String> lasting(Assessment risk, SessionShell shell) {
    var context = RiskContext.of(shell.workspace(), shell.directory(), shell.home());
    var lasting = new ArrayList<>(OutsideEffects.of(risk, context));
    if (!OutsideEffects.changesAnything(risk)) return List.copyOf(lasting);
    var gap = parts.undo().gap(shell.workspace());
    if (gap.isPresent()) lasting.add(NOTHING + gap.get());
    else
      lasting.addAll(OutsideEffects.unkept(risk, context, parts.undo().unkept(shell.workspace())));
    return List.copyOf(lasting);
  }

  /// Why nothing that a command changes can be taken back, if that was not said when it was
  /// approved; else empty.
  String newGap(List<String> said, Assessment risk, SessionShell shell) {
    if (!OutsideEffects.changesAnything(risk)) return "";
    var gap = parts.undo().gap(shell.workspace());
    boolean isSaid = gap.isEmpty() || said.stream().anyMatch(each -> each.startsWith(NOTHING));
    return isSaid ? "" : gap.get();
  }

  /// Runs a command and takes over where it left the shell.
  ///
  /// @param isByPerson whether a person typed it
  Ending run(Execution execution, SessionShell shell, InstantSource clock, boolean isByPerson)
      throws InterruptedException {
    var result = new AtomicReference<CommandResult>();
    var change = Optional.<Long>empty();
    if (parts.undo().gap(shell.workspace()).isPresent()) {
      result.set(result(execution, clock));
    } else {
      change = watched(execution, clock, result);
    }
    return new Ending(Optional.of(shell.kept(result.get(), isByPerson)), change);
  }

  private Optional<Long> watched(
      Execution execution, InstantSource clock, AtomicReference<CommandResult> result)
      throws InterruptedException {
    try {
      return parts
          .undo()
          .<InterruptedException>during(
              execution.workspace(),
              label(execution.script()),
              outside(execution),
              () -> result.set(result(execution, clock)))
          .map(change -> change.id());
    } catch (UndoFailed e) {
      // Either it was not started, or what it changed is not known; both must be said.
      var before = result.get();
      if (before == null && Thread.interrupted()) throw new InterruptedException("it was stopped");
      var message = String.valueOf(e.getMessage());
      if (before == null) {
        result.set(failed(message, Duration.ZERO));
      } else {
        var err = before.stderr() + "\nWhat it changed cannot be undone: " + message;
        result.set(before.with(before.stdout(), err, false));
      }
      return Optional.empty();
    }
  }

  private CommandResult result(Execution execution, InstantSource clock)
      throws InterruptedException {
    var began = clock.instant();
    try {
      return parts.runner().run(execution);
    } catch (RuntimeException e) {
      return failed(String.valueOf(e.getMessage()), Duration.between(began, clock.instant()));
    }
  }

  private static CommandResult failed(String message, Duration took) {
    var error = Optional.of(ExecutionError.EXECUTION_FAILED);
    return new CommandResult(-1, "", message, false, error, took);
  }

  /// The name of the change of a command: the command, without secrets.
  String label(String command) {
    var text = parts.redact().apply(command);
    int most = Math.min(LABEL_MAX, text.codePointCount(0, text.length()));
    return text.substring(0, text.offsetByCodePoints(0, most));
  }

  private static List<String> outside(Execution execution) {
    var home = java.nio.file.Path.of(execution.environment().getOrDefault("HOME", "/"));
    var context = RiskContext.of(execution.workspace(), execution.directory(), home);
    var script = ShellScript.parse(execution.script());
    return OutsideEffects.of(RiskAssessor.standard().assess(script, context), context);
  }
}
