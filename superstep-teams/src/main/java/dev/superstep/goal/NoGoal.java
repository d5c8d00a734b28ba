package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// A thread has no goal.
public final class NoGoal extends SuperstepException {
  NoGoal(String thread) {
    super("goal.none", "Thread `" + thread + "` has no goal. Set one by `Goals.set`.");
  }
}
