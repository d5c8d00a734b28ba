package dev.superstep.goal;

import java.util.EnumSet;
import java.util.Set;

/// The status of the goal of a thread.
public enum GoalStatus {
  /// A loop may work on it.
  ACTIVE,
  /// Somebody paused it; [Goals#resume] continues.
  PAUSED,
  /// The budget is used up, or too small for the next model call. [Goals#raise] the budget and
  /// [Goals#resume].
  BUDGET_LIMITED,
  /// It is reached. Final.
  COMPLETE;

  /// Returns the statuses that can follow this one.
  public Set<GoalStatus> next() {
    return switch (this) {
      case ACTIVE -> EnumSet.of(PAUSED, BUDGET_LIMITED, COMPLETE);
      case PAUSED -> EnumSet.of(ACTIVE, COMPLETE);
      case BUDGET_LIMITED -> EnumSet.of(ACTIVE, PAUSED, COMPLETE);
      case COMPLETE -> EnumSet.noneOf(GoalStatus.class);
    };
  }
}
