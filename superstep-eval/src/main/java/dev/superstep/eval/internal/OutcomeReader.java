package dev.superstep.eval.internal;

import dev.superstep.eval.check.Observation;
import dev.superstep.run.Outcome;

/// Reads what a run of a subject has made.
public interface OutcomeReader {
  /// The observation of a run that did not throw.
  ///
  /// @param seen what was heard while it ran
  Observation read(Outcome outcome, RunRecord seen);
}
