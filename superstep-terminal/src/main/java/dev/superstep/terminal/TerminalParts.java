package dev.superstep.terminal;

import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.undo.WorkspaceUndo;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/// The parts that a workflow works with; each is given, none is found.
///
/// @param models which plan and propose
/// @param review which decides on commands
/// @param runner which runs them
/// @param undo which takes back what commands changed
/// @param redact takes secrets out of a text, before anything stores, shows or sends it
public record TerminalParts(
    ModelBackend models,
    CommandReview review,
    CommandRunner runner,
    WorkspaceUndo undo,
    UnaryOperator<String> redact,
    InstantSource clock,
    TerminalLimits limits) {
  /// Parts with the standard limits and the system's clock, and without an undo.
  public static TerminalParts of(
      ModelBackend models,
      CommandReview review,
      CommandRunner runner,
      UnaryOperator<String> redact) {
    return new TerminalParts(
        models,
        review,
        runner,
        WorkspaceUndo.none(),
        redact,
        InstantSource.system(),
        TerminalLimits.standard());
  }

  /// Returns a copy with other limits.
  public TerminalParts limits(TerminalLimits other) {
    return new TerminalParts(models, review, runner, undo, redact, clock, other);
  }

  /// Returns a copy with another clock.
  public TerminalParts clock(InstantSource other) {
    return new TerminalParts(models, review, runner, undo, redact, other, limits);
  }

  /// Returns a copy whose commands can be taken back.
  public TerminalParts undo(WorkspaceUndo other) {
    return new TerminalParts(models, review, runner, other, redact, clock, limits);
  }
}
