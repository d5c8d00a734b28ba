package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// The work on a goal threw an exception that is not one of ours. Its spending is counted, and the
/// turn continues when the loop runs again.
public final class GoalWorkFailed extends SuperstepException {
  GoalWorkFailed(Goal goal, Exception cause) {
    super(
        "goal.work-failed",
        "Turn %d on the goal of thread `%s` failed: %s. Correct that, and run the loop again."
            .formatted(goal.turns(), goal.thread(), cause),
        cause);
  }
}
