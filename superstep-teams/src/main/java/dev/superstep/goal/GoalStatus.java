package dev.superstep.goal;

import java.util.EnumSet;
import java.util.Set;

/// How the goal of a thread stands, and what it may become.
public enum GoalStatus {
  /// It is worked on.
  ACTIVE,
  /// Somebody stopped it; [Goals#resume] goes on.
  PAUSED,
  /// What it may spend is used up, or does not suffice for the next call of a model. [Goals#raise]
  /// its budget and [Goals#resume].
  BUDGET_LIMITED,
  /// It is reached. Final.
  COMPLETE;

  /// What it may become.
  public Set<GoalStatus> next() {
    return switch (this) {
      case ACTIVE -> EnumSet.of(PAUSED, BUDGET_LIMITED, COMPLETE);
      case PAUSED -> EnumSet.of(ACTIVE, COMPLETE);
      case BUDGET_LIMITED -> EnumSet.of(ACTIVE, PAUSED, COMPLETE);
      case COMPLETE -> EnumSet.noneOf(GoalStatus.class);
    };
  }
}
