package dev.superstep.eval.stats;

import java.util.Locale;

/// The agreement of a judge with labels of people, as the four counts of a table. Immutable.
///
/// @param bothPass passed by label and judge
/// @param onlyLabel passed by the label alone
/// @param onlyJudge passed by the judge alone
/// @param bothFail failed by both
/// @param errors examples on which the judge gave no verdict; they count as disagreement in
///   [#accuracy], and are left out of [#kappa]
public record Agreement(long bothPass, long onlyLabel, long onlyJudge, long bothFail, long errors) {
  /// No examples.
  public static final Agreement NONE = new Agreement(0, 0, 0, 0, 0);

  /// Returns a copy that counts one more example.
  public Agreement plus(boolean label, boolean judge) {
    if (label && judge) return new Agreement(bothPass + 1, onlyLabel, onlyJudge, bothFail, errors);
    if (label) return new Agreement(bothPass, onlyLabel + 1, onlyJudge, bothFail, errors);
    if (judge) return new Agreement(bothPass, onlyLabel, onlyJudge + 1, bothFail, errors);
    return new Agreement(bothPass, onlyLabel, onlyJudge, bothFail + 1, errors);
  }

  /// Returns a copy that counts one more example without a verdict.
  public Agreement plusError() {
    return new Agreement(bothPass, onlyLabel, onlyJudge, bothFail, errors + 1);
  }

  /// The number of examples.
  public long examples() {
    return judged() + errors;
  }

  private long judged() {
    return bothPass + onlyLabel + onlyJudge + bothFail;
  }

  /// The share of examples on which judge and label agree, with its Wilson interval.
  public Interval accuracy(double level) {
    return Interval.wilson(bothPass + bothFail, examples(), level);
  }

  /// Cohen's kappa: the agreement beyond that of chance, as a share of what is possible beyond it.
  /// 1 is full agreement, 0 that of chance, below 0 worse. Where label and judge each know one
  /// verdict only, chance explains everything, and it is 1 if they are the same, else 0. NaN
  /// without examples.
  ///
  /// Source: J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
  /// Measurement 20 (1960), 37-46.
  public double kappa() {
    double all = judged();
    if (all == 0) return Double.NaN;
    double agreed = (bothPass + bothFail) / all;
    double labelPass = (bothPass + onlyLabel) / all;
    double judgePass = (bothPass + onlyJudge) / all;
    double chance = labelPass * judgePass + (1 - labelPass) * (1 - judgePass);
    if (chance >= 1) return agreed >= 1 ? 1 : 0;
    return (agreed - chance) / (1 - chance);
  }

  /// Returns true if kappa is at least this.
  public boolean reaches(double kappa) {
    // Sums of shares are not exact: 0.4 must reach 0.4.
    return kappa() >= kappa - 1e-9;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "kappa %.2f, accuracy %s of %d examples (both pass %d, only label %d, only judge %d, both"
            + " fail %d, errors %d)",
        kappa(),
        accuracy(Interval.LEVEL).percent(),
        examples(),
        bothPass,
        onlyLabel,
        onlyJudge,
        bothFail,
        errors);
  }
}
