package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// The data that a store returned does not fit the graph that wrote it: somebody changed it there.
public final class CorruptThread extends SuperstepException {
  private final String why;

  public CorruptThread(String why) {
    super(
        "thread.corrupt",
        "The saved thread does not fit its graph: " + why + ". The stored data was changed.");
    this.why = why;
  }

  /// The part that does not fit.
  public String why() {
    return why;
  }
}
