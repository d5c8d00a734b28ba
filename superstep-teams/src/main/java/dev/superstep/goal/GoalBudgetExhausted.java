package dev.superstep.goal;

import dev.superstep.budget.Spend;
import dev.superstep.json.SuperstepException;

/// A goal cannot be resumed, since its budget leaves nothing for a turn.
public final class GoalBudgetExhausted extends SuperstepException {
  GoalBudgetExhausted(Goal goal) {
    super("goal.used-up", message(goal, goal.spent()));
  }

  private static String message(Goal goal, Spend spent) {
    return "The goal of thread `%s` has used up its budget: %d turns, %d calls, %d tokens, %s of money. Raise the budget by `Goals.raise`, then resume."
        .formatted(
            goal.thread(),
            goal.turns(),
            spent.calls(),
            spent.usage().total(),
            spent.cost().toPlainString());
  }
}
