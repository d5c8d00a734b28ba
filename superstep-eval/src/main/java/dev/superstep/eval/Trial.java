package dev.superstep.eval;

import dev.superstep.budget.Spend;
import dev.superstep.eval.check.CheckResult;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.dataset.Case;
import java.util.List;

/// A try of a case, with what the checks say of it. Immutable.
///
/// @param item the case
/// @param repeat counted from 1
/// @param observation what the subject made of it
/// @param results of all checks, in their order; where the trial did not end as its case expects,
///   none of them passed
/// @param judging spent by judges
public record Trial(
    Case item, int repeat, Observation observation, List<CheckResult> results, Spend judging) {
  public Trial {
    results = List.copyOf(results);
  }

  /// Returns true if it ended as its case expects, and all checks passed.
  public boolean isPassed() {
    return endedAsExpected() && results.stream().allMatch(one -> one.verdict().isPassed());
  }

  /// Returns true if it ended as its case expects.
  public boolean endedAsExpected() {
    return observation.ending() == item.ending();
  }

  /// The mean score of its checks; without checks 1 or 0, as it passed or not.
  public double score() {
    if (results.isEmpty()) return isPassed() ? 1 : 0;
    return results.stream().mapToDouble(one -> one.verdict().score()).average().orElse(0);
  }

  /// The spending of subject and judges together.
  public Spend spent() {
    return observation.spent().plus(judging);
  }
}
