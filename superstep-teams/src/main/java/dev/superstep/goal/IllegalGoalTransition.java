package dev.superstep.goal;

import dev.superstep.json.SuperstepException;
import java.util.Set;

/// The requested status transition is not allowed from the goal's current status. Nothing was
/// changed.
public final class IllegalGoalTransition extends SuperstepException {
  private final GoalStatus from;
  private final GoalStatus to;

  IllegalGoalTransition(Goal goal, GoalStatus to) {
    super("goal.illegal-transition", message(goal, to));
    this.from = goal.status();
    this.to = to;
  }

  private static String message(Goal goal, GoalStatus to) {
    var legal =
        goal.status().next().isEmpty()
            ? "that is final. Set a new goal instead."
            : "it can become " + goal.status().next() + ". Read it again.";
    return "The goal of thread `%s` is %s and cannot become %s: %s"
        .formatted(goal.thread(), goal.status(), to, legal);
  }

  /// The current status.
  public GoalStatus from() {
    return from;
  }

  /// The status that was requested.
  public GoalStatus to() {
    return to;
  }

  /// The statuses that the current one allows.
  public Set<GoalStatus> legal() {
    return from.next();
  }
}
