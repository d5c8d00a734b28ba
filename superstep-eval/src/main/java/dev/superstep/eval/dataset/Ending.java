package dev.superstep.eval.dataset;

/// The ways in which a trial of a case can end. All of them are results.
public enum Ending {
  /// It gave an answer.
  ANSWERED,
  /// It waits for an answer of a person that the case does not have.
  WAITING,
  /// It stopped at a limit of its own, such as of model calls or of its budget.
  LIMIT,
  /// Its time was over.
  TIMED_OUT,
  /// It failed with an error.
  FAILED
}
