package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// The registry is full. Nothing was started.
public final class TooManyDetachedTasks extends SuperstepException {
  private final int most;
  private final int running;

  TooManyDetachedTasks(int most, int atWork) {
    super(
        "detached.too-many",
        "All %s places for detached tasks are taken: %s at work, %s ended and not swept. Sweep those that ended, cancel some, or open the registry with more places."
            .formatted(most, atWork, most - atWork));
    this.most = most;
    this.running = atWork;
  }

  /// The largest number of tasks that may be registered.
  public int most() {
    return most;
  }

  /// The number of tasks at work.
  public int running() {
    return running;
  }
}
