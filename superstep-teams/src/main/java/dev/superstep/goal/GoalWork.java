package dev.superstep.goal;

import dev.superstep.budget.Ledger;

/// Works on a goal, one turn at a time: an agent ([AgentWork]), a graph, or any program.
@FunctionalInterface
public interface GoalWork {
  /// One turn. A turn that did not end, since it failed, was suspended or its process died, is
  /// given again, with the same number.
  ///
  /// @param goal as it is with this turn begun
  /// @param ledger holds calls of models to what is left, and counts them
  GoalTurn turn(Goal goal, Ledger ledger) throws Exception;

  /// Whether a turn that is gone on with counts again, on its ledger, what it had spent before.
  default boolean recalls() {
    return false;
  }
}
