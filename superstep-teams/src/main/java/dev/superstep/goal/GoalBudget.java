package dev.superstep.goal;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.budget.Spend;
import java.math.BigDecimal;
import java.util.Optional;

/// A limit on the spending for a goal, over all its turns. Nothing is limited unless set. It is
/// stored with the goal, so unlike a [Budget] it has no prices; the worker supplies those.
/// Immutable; each method returns a changed copy.
///
/// ```java
/// GoalBudget.unlimited().turns(20).tokens(500_000).cost("2.50")
/// ```
///
/// @param turns the most turns that may begin
/// @param calls the most model calls
/// @param tokens the most tokens of all model calls together
/// @param cost the most money, in the worker's currency
public record GoalBudget(
    Optional<Long> turns, Optional<Long> calls, Optional<Long> tokens, Optional<BigDecimal> cost) {
  private static final GoalBudget UNLIMITED =
      new GoalBudget(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  public GoalBudget {
    turns.ifPresent(most -> atLeastZero("turns", BigDecimal.valueOf(most)));
    calls.ifPresent(most -> atLeastZero("calls", BigDecimal.valueOf(most)));
    tokens.ifPresent(most -> atLeastZero("tokens", BigDecimal.valueOf(most)));
    cost.ifPresent(most -> atLeastZero("cost", most));
  }

  /// No limits.
  public static GoalBudget unlimited() {
    return UNLIMITED;
  }

  /// Limits the number of turns.
  public GoalBudget turns(long most) {
    return new GoalBudget(Optional.of(most), calls, tokens, cost);
  }

  /// Limits the number of model calls, failed attempts included.
  public GoalBudget calls(long most) {
    return new GoalBudget(turns, Optional.of(most), tokens, cost);
  }

  /// Limits the number of tokens, of prompts and answers together.
  public GoalBudget tokens(long most) {
    return new GoalBudget(turns, calls, Optional.of(most), cost);
  }

  /// Limits the cost, such as `2.50`.
  public GoalBudget cost(String most) {
    return new GoalBudget(turns, calls, tokens, Optional.of(new BigDecimal(most)));
  }

  /// Returns whether one of the limits is reached.
  boolean isUsedUp(Spend spent) {
    return calls.filter(most -> spent.calls() >= most).isPresent()
        || tokens.filter(most -> spent.usage().total() >= most).isPresent()
        || cost.filter(most -> spent.cost().compareTo(most) >= 0).isPresent();
  }

  boolean hasTurnAfter(long begun) {
    return turns.isEmpty() || begun < turns.get();
  }

  /// Returns the rest of the budget, as a limit for model calls.
  Budget left(Spend spent, String currency, Prices prices) {
    var left = Budget.unlimited();
    if (calls.isPresent()) left = left.calls(Math.max(0, calls.get() - spent.calls()));
    if (tokens.isPresent()) {
      left = left.totalTokens(Math.max(0, tokens.get() - spent.usage().total()));
    }
    if (cost.isPresent()) {
      var money = cost.get().subtract(spent.cost()).max(BigDecimal.ZERO);
      left = left.money(money.toPlainString(), currency, prices);
    }
    return left;
  }

  private static void atLeastZero(String what, BigDecimal most) {
    if (most.signum() >= 0) return;
    throw new IllegalArgumentException(what + " must not be negative, was " + most);
  }
}
