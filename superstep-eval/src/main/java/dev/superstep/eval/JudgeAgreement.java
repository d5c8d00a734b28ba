package dev.superstep.eval;

import dev.superstep.eval.stats.Agreement;

/// The agreement of a judge of an evaluation with people. Immutable.
///
/// @param judge its name
/// @param agreement the counts
/// @param leastKappa the least of Cohen's kappa that was asked for
/// @param missing how many examples it was not asked about, since the budget was used up
public record JudgeAgreement(String judge, Agreement agreement, double leastKappa, int missing) {
  /// Returns true if it agrees enough to be trusted.
  public boolean isTrusted() {
    return missing == 0 && agreement.reaches(leastKappa);
  }
}
