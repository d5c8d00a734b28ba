package dev.superstep.eval.stats;

/// The standard normal distribution.
final class Normal {
  private static final int STEPS = 200;
  private static final double FAR = 10;

  private Normal() {}

  /// The value below which a share of the distribution lies, to about 12 digits.
  static double quantile(double share) {
    double low = -FAR;
    double high = FAR;
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      if (below(middle) < share) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /// The share below a value, by the series of the error function that only has positive terms:
  /// Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.11.
  static double below(double value) {
    double x = Math.abs(value);
    double term = x;
    double sum = x;
    for (int k = 1; term > sum * 1e-17 && k < 1_000; k++) {
      term *= x * x / (2 * k + 1);
      sum += term;
    }
    double half = sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    double upper = Math.min(0.5, half);
    return value < 0 ? 0.5 - upper : 0.5 + upper;
  }
}
