package dev.superstep.flow;

import java.time.Duration;

/// How far a flow may go on without coming back. Immutable.
///
/// @param steps the most transitions
/// @param turns the most calls of models
/// @param depth the most agents and flows around each other
/// @param time no transition begins after it
public record FlowLimits(int steps, int turns, int depth, Duration time) {
  private static final Duration FOREVER = Duration.ofDays(365_000);

  public FlowLimits {
    if (steps < 1) throw new IllegalArgumentException("steps must be at least 1, was " + steps);
    if (turns < 0) throw new IllegalArgumentException("turns must not be negative, was " + turns);
    if (depth < 1) throw new IllegalArgumentException("depth must be at least 1, was " + depth);
    if (!time.isPositive()) throw new IllegalArgumentException("time must be positive: " + time);
  }

  /// A limit that ends a run softly: what is done is kept, and the flow can go on.
  public enum Limit {
    /// It has made as many transitions as it may.
    STEPS,
    /// Its time is over.
    TIME
  }

  /// No limits but the flow's own.
  public static FlowLimits none() {
    return new FlowLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, FOREVER);
  }

  /// The same with so many transitions; then the flow comes back, to go on when it is asked to.
  public FlowLimits steps(int most) {
    return new FlowLimits(most, turns, depth, time);
  }

  /// The same with so many calls of models; one more is an error.
  public FlowLimits turns(int most) {
    return new FlowLimits(steps, most, depth, time);
  }

  /// The same with so many agents and flows around each other; one more is an error.
  public FlowLimits depth(int most) {
    return new FlowLimits(steps, turns, most, time);
  }

  /// The same with so much time; then the flow comes back, after the transition that is at work.
  public FlowLimits time(Duration most) {
    return new FlowLimits(steps, turns, depth, most);
  }
}
