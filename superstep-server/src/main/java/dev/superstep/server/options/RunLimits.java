package dev.superstep.server.options;

import java.time.Duration;

/// Limits on the runs of a server. Immutable.
///
/// @param concurrent runs that one process works on at once
/// @param queued runs that may wait on one thread
/// @param lease after which another process takes over the run of one that is gone
/// @param longest that a run may take
/// @param keptEvents how long the events of a run that has ended can still be read
public record RunLimits(
    int concurrent, int queued, Duration lease, Duration longest, Duration keptEvents) {
  private static final RunLimits DEFAULTS =
      new RunLimits(100, 100, Duration.ofSeconds(10), Duration.ofHours(24), Duration.ofHours(1));

  public RunLimits {
    if (concurrent < 1) {
      throw new IllegalArgumentException("concurrent must be at least 1, was " + concurrent);
    }
    if (queued < 0) throw new IllegalArgumentException("queued must be at least 0, was " + queued);
    positive("lease", lease);
    positive("longest", longest);
    positive("keptEvents", keptEvents);
  }

  /// 100 runs at once, 100 that wait on a thread, a lease of 10 seconds, a day for a run, an hour
  /// for its events.
  public static RunLimits defaults() {
    return DEFAULTS;
  }

  /// With more or fewer runs at once.
  public RunLimits withConcurrent(int most) {
    return new RunLimits(most, queued, lease, longest, keptEvents);
  }

  /// With more or fewer runs that wait on a thread.
  public RunLimits withQueued(int most) {
    return new RunLimits(concurrent, most, lease, longest, keptEvents);
  }

  /// With another lease.
  public RunLimits withLease(Duration time) {
    return new RunLimits(concurrent, queued, time, longest, keptEvents);
  }

  /// With more or less time for a run.
  public RunLimits withLongest(Duration time) {
    return new RunLimits(concurrent, queued, lease, time, keptEvents);
  }

  /// With another time for which events can be read again.
  public RunLimits withKeptEvents(Duration time) {
    return new RunLimits(concurrent, queued, lease, longest, time);
  }

  private static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be more than 0, was " + value);
    }
  }
}
