package dev.superstep.eval.stats;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/// An estimate with its confidence interval. Immutable.
///
/// @param estimate the rate, mean or difference that was measured
/// @param low the lower end
/// @param high the upper end
/// @param level the confidence level, such as 0.95
public record Interval(double estimate, double low, double high, double level) {
  /// The level that is used unless another one is named.
  public static final double LEVEL = 0.95;

  private static final int RESAMPLES = 10_000;
  private static final long SEED = 20_260_101L;

  /// The Wilson score interval of a rate. It stays between 0 and 1, and is not empty where all or
  /// none succeeded, as the usual interval around the mean is.
  ///
  /// Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
  /// Journal of the American Statistical Association 22 (1927), 209-212; recommended for small
  /// samples by L. D. Brown, T. T. Cai and A. DasGupta, Interval estimation for a binomial
  /// proportion, Statistical Science 16 (2001), 101-133.
  ///
  /// @param successes 0 to `trials`
  /// @param trials independent of each other; with none the interval is from 0 to 1
  public static Interval wilson(long successes, long trials, double level) {
    if (successes < 0 || successes > trials) {
      throw new IllegalArgumentException("successes must be 0 to " + trials + ", was " + successes);
    }
    if (trials == 0) return new Interval(Double.NaN, 0, 1, level);
    return wilson((double) successes / trials, (double) trials, level);
  }

  private static Interval wilson(double rate, double trials, double level) {
    double z = Normal.quantile((1 + checked(level)) / 2);
    double z2 = z * z;
    double middle = (rate + z2 / (2 * trials)) / (1 + z2 / trials);
    double half =
        z / (1 + z2 / trials) * Math.sqrt(rate * (1 - rate) / trials + z2 / (4 * trials * trials));
    // Rounding must not take the ends past the estimate.
    double low = rate == 0 ? 0 : Math.clamp(middle - half, 0, rate);
    double high = rate == 1 ? 1 : Math.clamp(middle + half, rate, 1);
    return new Interval(rate, low, high, level);
  }

  /// The interval of a mean over cases that were each tried several times. Trials of one case are
  /// alike, so cases are what is resampled, with all their trials: a percentile bootstrap over
  /// clusters with 10,000 resamples and a fixed seed, so that the same results always give the same
  /// interval. Values are between 0 and 1. If all cases have the same mean, resampling shows
  /// nothing, and the Wilson interval with the number of cases is given in its place.
  ///
  /// Sources: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13;
  /// for clusters A. C. Cameron, J. B. Gelbach and D. L. Miller, Bootstrap-based improvements for
  /// inference with clustered errors, Review of Economics and Statistics 90 (2008), 414-427; for
  /// evaluations E. Miller, Adding error bars to evals, arXiv:2411.00640 (2024).
  ///
  /// @param means the mean of each case, each from 0 to 1
  public static Interval clustered(double[] means, double level) {
    if (means.length == 0) return new Interval(Double.NaN, 0, 1, level);
    if (areEqual(means)) return wilson(Math.clamp(means[0], 0, 1), means.length, level);
    return bootstrap(means, level);
  }

  /// The interval of the mean of paired differences, one for each case: a percentile bootstrap with
  /// 10,000 resamples and a fixed seed. Source: as of [#clustered].
  ///
  /// @param differences the later minus the earlier mean of each case
  public static Interval paired(double[] differences, double level) {
    if (differences.length == 0) return new Interval(Double.NaN, -1, 1, level);
    return bootstrap(differences, level);
  }

  private static Interval bootstrap(double[] values, double level) {
    double tail = (1 - checked(level)) / 2;
    var random = new Random(SEED);
    var means = new double[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      double sum = 0;
      for (int j = 0; j < values.length; j++) sum += values[random.nextInt(values.length)];
      means[i] = sum / values.length;
    }
    Arrays.sort(means);
    double estimate = Arrays.stream(values).sum() / values.length;
    double low = means[(int) Math.floor(tail * (RESAMPLES - 1))];
    double high = means[(int) Math.ceil((1 - tail) * (RESAMPLES - 1))];
    return new Interval(estimate, Math.min(low, estimate), Math.max(high, estimate), level);
  }

  private static boolean areEqual(double[] values) {
    return Arrays.stream(values).allMatch(value -> value == values[0]);
  }

  private static double checked(double level) {
    if (level > 0 && level < 1) return level;
    throw new IllegalArgumentException("level must be above 0 and below 1, was " + level);
  }

  /// As percentages: `80.0 % (72.1 to 86.3)`.
  public String percent() {
    if (Double.isNaN(estimate)) return "none";
    return String.format(
        Locale.ROOT, "%.1f %% (%.1f to %.1f)", 100 * estimate, 100 * low, 100 * high);
  }

  @Override
  public String toString() {
    return percent() + " at " + level;
  }
}
