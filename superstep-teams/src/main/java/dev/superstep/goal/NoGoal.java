package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// A thread has no goal.
public final class NoGoal extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String thread;

  NoGoal(String thread) {
    super("goal.none", "Thread `" + thread + "` has no goal. Set one by `Goals.set`.", null);
    this.thread = thread;
  }

  /// The name of the thread.
  public String thread() {
    return thread;
  }
}
