package dev.superstep.goal;

import dev.superstep.budget.Spend;
import dev.superstep.json.SuperstepException;

/// A goal cannot be resumed, since its budget leaves nothing for a turn.
public final class GoalBudgetExhausted extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String thread;
  private final long turns;
  private final long tokens;

  GoalBudgetExhausted(Goal goal) {
    super("goal.used-up", message(goal, goal.spent()), null);
    this.thread = goal.thread();
    this.turns = goal.turns();
    this.tokens = goal.spent().usage().total();
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

  /// The name of the thread.
  public String thread() {
    return thread;
  }

  /// The number of turns that have begun.
  public long turns() {
    return turns;
  }

  /// The number of tokens that were used.
  public long tokens() {
    return tokens;
  }
}
