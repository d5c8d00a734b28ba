package dev.superstep.goal;

import dev.superstep.budget.Spend;
import java.time.Instant;

/// What a thread is to reach, and how it stands. Immutable.
///
/// @param thread of which it is the one goal
/// @param objective what is to be reached, in words that whoever works on it understands
/// @param note why it is paused or limited, or what came of it; empty if there is nothing to say
/// @param turns how many turns were begun
/// @param settled what the turns spent that have ended
/// @param underWay what a turn that has not ended had spent when last heard of
/// @param isOpen whether the last turn has not ended; it is gone on with
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

  /// What was spent in all.
  public Spend spent() {
    return settled.plus(underWay);
  }

  /// Whether the budget leaves nothing for a turn.
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
    return new Goal(
        thread, objective, status, note, budget, turns + 1, settled, Spend.NONE, true, began, now);
  }

  /// With the end of the turn.
  Goal closed(Spend spent, Instant now) {
    return new Goal(
        thread,
        objective,
        status,
        note,
        budget,
        turns,
        settled.plus(spent),
        Spend.NONE,
        false,
        began,
        now);
  }

  /// With what the turn has spent, of which more will be heard.
  ///
  /// @param isFinal whether whoever goes on with the turn counts from zero
  Goal suspended(Spend spent, boolean isFinal, Instant now) {
    return new Goal(
        thread,
        objective,
        status,
        note,
        budget,
        turns,
        isFinal ? settled.plus(spent) : settled,
        isFinal ? Spend.NONE : spent,
        true,
        began,
        now);
  }

  boolean isSameTurn(Goal other) {
    return isOpen && other.isOpen && turns == other.turns && began.equals(other.began);
  }
}
