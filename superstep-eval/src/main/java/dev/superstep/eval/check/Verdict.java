package dev.superstep.eval.check;

/// The verdict of a check. Immutable.
///
/// @param outcome passed, failed, or no verdict
/// @param score from 0 to 1
/// @param reason for people; may be empty if it passed
public record Verdict(Outcome outcome, double score, String reason) {
  private static final int REASON_MAX = 4_000;

  /// The outcomes of a check.
  public enum Outcome {
    /// The trial is good.
    PASSED,
    /// The trial is not.
    FAILED,
    /// The check itself failed, or was not made. Counts as not passed, and is told apart.
    ERROR
  }

  public Verdict {
    if (!(score >= 0 && score <= 1)) {
      throw new IllegalArgumentException("score must be 0 to 1, was " + score);
    }
    if (reason.length() > REASON_MAX) {
      int end = Character.isHighSurrogate(reason.charAt(REASON_MAX - 1)) ? 1 : 0;
      reason = reason.substring(0, REASON_MAX - end) + "…";
    }
  }

  /// Passed, with score 1.
  public static Verdict pass() {
    return new Verdict(Outcome.PASSED, 1, "");
  }

  /// Failed, with score 0.
  public static Verdict fail(String reason) {
    return new Verdict(Outcome.FAILED, 0, reason);
  }

  /// Passed if a condition holds.
  ///
  /// @param otherwise the reason if it does not
  public static Verdict when(boolean condition, String otherwise) {
    return condition ? pass() : fail(otherwise);
  }

  /// A score that passes from a threshold on.
  public static Verdict scored(double score, double threshold, String reason) {
    return new Verdict(score >= threshold ? Outcome.PASSED : Outcome.FAILED, score, reason);
  }

  /// No verdict, since the check failed.
  public static Verdict error(String reason) {
    return new Verdict(Outcome.ERROR, 0, reason);
  }

  /// Returns true if it passed.
  public boolean isPassed() {
    return outcome == Outcome.PASSED;
  }
}
