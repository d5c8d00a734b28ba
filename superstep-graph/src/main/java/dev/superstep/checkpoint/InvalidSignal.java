package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;

/// A part of a [Signal] is not a number from 0 to 1.
public final class InvalidSignal extends SuperstepException {
  private final String field;
  private final double value;

  InvalidSignal(String field, double value) {
    super(
        "graph.invalid-signal",
        ("The `%s` of a signal must be a number from 0 to 1, was %s. Scale it before you"
                + " converge.")
            .formatted(field, value));
    this.field = field;
    this.value = value;
  }

  /// The part: `contribution`, `surprise` or `quality`.
  public String field() {
    return field;
  }

  /// The invalid value.
  public double value() {
    return value;
  }
}
