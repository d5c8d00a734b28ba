package dev.superstep.shape;

/// The state of a shape's loop, as its check left it. Immutable.
///
/// @param count how often the check has run since the loop was entered
public record Rounds(int count, Result result) {
  /// The result of the check.
  public enum Result {
    /// It passed.
    PASSED,
    /// It failed, and another round follows.
    AGAIN,
    /// It failed, and no further round is allowed.
    EXHAUSTED
  }
}
