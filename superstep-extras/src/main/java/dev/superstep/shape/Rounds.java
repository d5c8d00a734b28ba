package dev.superstep.shape;

/// How a loop of a shape stands, as its check left it. Immutable.
///
/// @param count how often the check has run since the loop was entered
public record Rounds(int count, Result result) {
  /// What follows the check.
  public enum Result {
    /// It passed.
    PASSED,
    /// It failed, and another round follows.
    AGAIN,
    /// It failed, and no further round is allowed.
    EXHAUSTED
  }
}
