package dev.superstep.middleware;

import java.time.Duration;
import java.util.SplittableRandom;

/// The waits between attempts: drawn evenly from zero to a time that grows from attempt to attempt.
/// The draw depends on the task alone, so a run can be repeated. Immutable.
///
/// @param cap the longest wait of all
record Backoff(Duration base, double factor, Duration cap) {
  static final Backoff STANDARD = new Backoff(Duration.ofMillis(200), 2, Duration.ofSeconds(30));

  Backoff {
    if (base.isNegative()) {
      throw new IllegalArgumentException("base must not be negative, was " + base);
    }
    if (!(factor >= 1 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("factor must be finite and at least 1, was " + factor);
    }
    if (cap.compareTo(base) < 0) {
      throw new IllegalArgumentException("cap must be at least base " + base + ", was " + cap);
    }
  }

  /// The wait after a failed attempt.
  ///
  /// @param failed its number, from 1
  /// @param what tells apart what is tried in one task
  Duration after(int failed, String what, AgentContext context) {
    // The task's own random numbers belong to its node, whose draws must not depend on failures.
    var seed = (context.node().task() + what).hashCode() * 31L + failed;
    double longest = base.toNanos() * Math.pow(factor, failed - 1.0);
    double most = Math.min(longest, (double) cap.toNanos());
    return Duration.ofNanos((long) (new SplittableRandom(seed).nextDouble() * most));
  }
}
