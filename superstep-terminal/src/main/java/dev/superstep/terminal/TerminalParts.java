package dev.superstep.terminal;

import java.time.InstantSource;
import java.util.function.UnaryOperator;

/// The parts that a workflow works with; each is given, none is found.
///
/// @param models which plan and propose
/// @param review which decides on commands
/// @param runner which runs them
/// @param redact takes secrets out of a text, before anything stores, shows or sends it
public record TerminalParts(
    ModelBackend models,
    CommandReview review,
    CommandRunner runner,
    UnaryOperator<String> redact,
    InstantSource clock,
    TerminalLimits limits) {
  /// Parts with the standard limits and the system's clock.
  public static TerminalParts of(
      ModelBackend models,
      CommandReview review,
      CommandRunner runner,
      UnaryOperator<String> redact) {
    return new TerminalParts(
        models, review, runner, redact, InstantSource.system(), TerminalLimits.standard());
  }

  /// Returns a copy with other limits.
  public TerminalParts limits(TerminalLimits other) {
    return new TerminalParts(models, review, runner, redact, clock, other);
  }

  /// Returns a copy with another clock.
  public TerminalParts clock(InstantSource other) {
    return new TerminalParts(models, review, runner, redact, other, limits);
  }
}
