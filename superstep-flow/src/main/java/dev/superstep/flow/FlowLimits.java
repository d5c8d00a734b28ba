package dev.superstep.flow;

import java.time.Duration;

/// Limits on a run of several transitions. Immutable.
///
/// @param steps the most transitions
/// @param turns the most model calls
/// @param depth the most nested agents and flows
/// @param time after this time no transition begins
public record FlowLimits(int steps, int turns, int depth, Duration time) {
  private static final Duration FOREVER = Duration.ofDays(365_000);

  public FlowLimits {
    if (steps < 1) throw new IllegalArgumentException("steps must be at least 1, was " + steps);
    if (turns < 0) throw new IllegalArgumentException("turns must not be negative, was " + turns);
    if (depth < 1) throw new IllegalArgumentException("depth must be at least 1, was " + depth);
    if (!time.isPositive()) throw new IllegalArgumentException("time must be positive: " + time);
  }

  /// A limit that ends a run without an error: finished work is saved, and the flow can continue.
  public enum Limit {
    /// It has made as many transitions as it may.
    STEPS,
    /// Its time is over.
    TIME
  }

  /// No limits except the flow's own.
  public static FlowLimits none() {
    return new FlowLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, FOREVER);
  }

  /// Limits the transitions; then the run returns, and can be continued.
  public FlowLimits steps(int most) {
    return new FlowLimits(most, turns, depth, time);
  }

  /// Limits the model calls; one more is an error.
  public FlowLimits turns(int most) {
    return new FlowLimits(steps, most, depth, time);
  }

  /// Limits the nesting of agents and flows; one more level is an error.
  public FlowLimits depth(int most) {
    return new FlowLimits(steps, turns, most, time);
  }

  /// Limits the time; the run returns after the transition in progress.
  public FlowLimits time(Duration most) {
    return new FlowLimits(steps, turns, depth, most);
  }
}
