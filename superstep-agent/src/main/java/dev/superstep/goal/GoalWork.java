package dev.superstep.goal;

import dev.superstep.budget.Ledger;

/// Works on a goal, one turn at a time: an agent ([AgentWork]), a graph, or any program.
@FunctionalInterface
public interface GoalWork {
  /// One turn. If the last one has not ended ([Goal#isOpen] was so when the loop began), it is gone
  /// on with.
  ///
  /// @param goal as it is with this turn begun
  /// @param ledger holds calls of models to what is left, and counts them
  GoalTurn turn(Goal goal, Ledger ledger) throws Exception;

  /// Whether a turn that is gone on with counts again, on its ledger, what it had spent before.
  default boolean recalls() {
    return false;
  }
}
