package dev.superstep.eval.stats;

/// The exact test of wins against losses among paired cases. With one trial for each case it is the
/// exact form of McNemar's test: cases on which both versions do the same tell nothing, and of the
/// others half would be wins if the versions were alike. With several trials, a case is won by the
/// version that passes more of them: the sign test.
///
/// Sources: Q. McNemar, Note on the sampling error of the difference between correlated proportions
/// or percentages, Psychometrika 12 (1947), 153-157; W. J. Conover, Practical Nonparametric
/// Statistics (1999), 3.4 and 3.5.
///
/// @param wins cases on which the later version does better
/// @param losses cases on which the earlier version does better
/// @param ties cases on which both do the same
public record SignTest(long wins, long losses, long ties) {
  public SignTest {
    if (wins < 0 || losses < 0 || ties < 0) {
      throw new IllegalArgumentException("wins, losses and ties must not be negative");
    }
  }

  /// The two-sided p-value: how probable a split at least as uneven as this one is if the versions
  /// are alike. 1 if there is neither a win nor a loss.
  public double pValue() {
    long decided = wins + losses;
    if (decided == 0) return 1;
    double tail = 0;
    double log = -decided * Math.log(2);
    for (long k = 0; k <= Math.min(wins, losses); k++) {
      tail += Math.exp(log);
      log += Math.log((double) (decided - k) / (k + 1));
    }
    return Math.min(1, 2 * tail);
  }
}
