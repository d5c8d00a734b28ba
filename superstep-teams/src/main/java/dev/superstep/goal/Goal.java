package dev.superstep.goal;

import dev.superstep.budget.Spend;
import java.time.Instant;

/// The objective of a thread, and its status. Immutable.
///
/// @param thread the thread, which has no other goal
/// @param objective the objective, in words that the worker understands
/// @param note the reason why it is paused or limited, or its result; empty if there is none
/// @param turns the number of turns that have begun
/// @param settled the spending of the turns that have ended
/// @param underWay the spending of an unfinished turn, as last reported
/// @param isOpen whether the last turn has not ended; the next run continues it
/// @param began when the goal was set
public record Goal(
    String thread,
    String objective,
    GoalStatus status,
    String note,
    GoalBudget budget,
    long turns,
    Spend settled,
    Spend underWay,
    boolean isOpen,
    Instant began,
    Instant changed) {
  static Goal begin(String thread, String objective, GoalBudget budget, Instant now) {
    return new Goal(
        thread,
        objective,
        GoalStatus.ACTIVE,
        "",
        budget,
        0,
        Spend.NONE,
        Spend.NONE,
        false,
        now,
        now);
  }

  /// Returns the total spending.
  public Spend spent() {
    return settled.plus(underWay);
  }

  /// Returns whether the budget is too small for another turn.
  public boolean isUsedUp() {
    return budget.isUsedUp(spent()) || (!isOpen && !budget.hasTurnAfter(turns));
  }

  Goal with(GoalStatus next, String why, Instant now) {
    return new Goal(
        thread, objective, next, why, budget, turns, settled, underWay, isOpen, began, now);
  }

  Goal with(GoalBudget other, Instant now) {
    return new Goal(
        thread, objective, status, note, other, turns, settled, underWay, isOpen, began, now);
  }

  /// With a turn that has begun.
  Goal opened(Instant now) {
    return turn(turns + 1, settled, Spend.NONE, true, now);
  }

  /// With the end of the turn.
  Goal closed(Spend spent, Instant now) {
    return turn(turns, settled.plus(spent), Spend.NONE, false, now);
  }

  /// Returns a copy with the spending of an unfinished turn.
  ///
  /// @param isFinal whether a resumed turn counts its spending from zero
  Goal suspended(Spend spent, boolean isFinal, Instant now) {
    return isFinal
        ? turn(turns, settled.plus(spent), Spend.NONE, true, now)
        : turn(turns, settled, spent, true, now);
  }

  private Goal turn(long number, Spend ended, Spend unfinished, boolean open, Instant now) {
    return new Goal(
        thread, objective, status, note, budget, number, ended, unfinished, open, began, now);
  }

  boolean isSameTurn(Goal other) {
    return isOpen && other.isOpen && turns == other.turns && began.equals(other.began);
  }
}
