package dev.superstep.goal;

import dev.superstep.json.SuperstepException;

/// A thread has a goal that is not complete, and it has only one. Nothing was changed.
public final class GoalExists extends SuperstepException {
  private final GoalStatus status;

  GoalExists(Goal goal) {
    super(
        "goal.exists",
        "Thread `%s` has a goal, which is %s. Complete or clear it before you set another."
            .formatted(goal.thread(), goal.status()));
    this.status = goal.status();
  }

  /// The status of the goal that the thread already has.
  public GoalStatus status() {
    return status;
  }
}
