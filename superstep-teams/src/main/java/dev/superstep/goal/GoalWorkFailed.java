package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// Work on a goal threw something that is no error of ours. What it spent is counted, and the turn
/// is gone on with when the loop runs again.
public final class GoalWorkFailed extends SuperstepException {
  GoalWorkFailed(Goal goal, Exception cause) {
    super(
        "goal.work-failed",
        "Turn %d on the goal of thread `%s` failed: %s. Correct that, and run the loop again."
            .formatted(goal.turns(), goal.thread(), cause),
        cause);
  }
}
