package dev.superstep.goal;

import dev.superstep.budget.Ledger;

/// Works on a goal, one turn at a time: an agent ([AgentWork]), a graph, or any program.
@FunctionalInterface
public interface GoalWork {
  /// Works for one turn. A turn that did not end, because it failed, was suspended or its process
  /// died, is passed again with the same number.
  ///
  /// @param goal the goal, with this turn begun
  /// @param ledger limits model calls to the rest of the budget, and counts them
  GoalTurn turn(Goal goal, Ledger ledger) throws Exception;

  /// Returns whether a resumed turn records its earlier spending in its ledger again.
  default boolean recalls() {
    return false;
  }
}
