package dev.superstep.node;

import java.time.Duration;

/// A limit on how often something may begin: at most `times` in any span of this length. Immutable.
///
/// @param times at least 1
/// @param window how long the span is; at most 366 days
public record Rate(int times, Duration window) {
  private static final Duration WINDOW_MAX = Duration.ofDays(366);

  public Rate {
    if (times < 1) throw new IllegalArgumentException("times must be at least 1, was " + times);
    if (!window.isPositive() || window.compareTo(WINDOW_MAX) > 0) {
      throw new IllegalArgumentException(
          "window must be positive and at most " + WINDOW_MAX + ", was " + window);
    }
  }

  /// At most so many times in any span of this length.
  public static Rate of(int times, Duration window) {
    return new Rate(times, window);
  }
}
