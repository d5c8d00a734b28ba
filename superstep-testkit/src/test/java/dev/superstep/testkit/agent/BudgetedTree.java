package dev.superstep.testkit.agent;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Gen;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Agents that call agents, each with limits of its own, as a value that can be shrunk. Immutable.
///
/// @param limits of each run of the agent
/// @param helpers the agents that it may call
/// @param failures in percent of its model calls
/// @param lies in percent of its replies whose usage cannot be
/// @param isPartial whether it gives what it has at a limit
/// @param maxTokens of its requests, or 0 for none
record BudgetedTree(
    String name,
    Limits limits,
    List<BudgetedTree> helpers,
    int failures,
    int lies,
    boolean isPartial,
    int maxTokens) {
  private static final int DEPTH = 3;

  /// What one token costs, by what it is: writing to a cache costs more than a plain prompt, and
  /// reading from it less.
  static final Prices PRICES =
      (_, usage) -> {
        long plain = usage.input() - usage.cachedInput() - usage.cacheWrite();
        long sum = 4 * plain + usage.cachedInput() + 5 * usage.cacheWrite() + 20 * usage.output();
        return Optional.of(BigDecimal.valueOf(sum, 6));
      };

  /// The most of each; null is no limit.
  record Limits(
      @Nullable Integer calls,
      @Nullable Integer input,
      @Nullable Integer cached,
      @Nullable Integer output,
      @Nullable Integer reasoning,
      @Nullable Integer total,
      @Nullable BigDecimal money) {
    Budget budget() {
      var budget = Budget.unlimited();
      if (calls != null) budget = budget.calls(calls);
      if (input != null) budget = budget.inputTokens(input);
      if (cached != null) budget = budget.cachedInputTokens(cached);
      if (output != null) budget = budget.outputTokens(output);
      if (reasoning != null) budget = budget.reasoningTokens(reasoning);
      if (total != null) budget = budget.totalTokens(total);
      if (money != null) budget = budget.money(money.toPlainString(), "USD", PRICES);
      return budget;
    }

    static Limits draw(Choices choices) {
      return new Limits(
          some(choices, 12),
          some(choices, 4_000),
          some(choices, 4_000),
          some(choices, 20_000),
          some(choices, 20_000),
          some(choices, 30_000),
          choices.chance(25) ? BigDecimal.valueOf(choices.below(600_000), 6) : null);
    }

    private static @Nullable Integer some(Choices choices, int bound) {
      return choices.chance(25) ? choices.below(bound) : null;
    }
  }

  static Gen<BudgetedTree> trees() {
    return choices -> draw(choices, "root", 1);
  }

  private static BudgetedTree draw(Choices choices, String name, int depth) {
    var limits = Limits.draw(choices);
    int failures = choices.of(0, 10, 40);
    int lies = choices.of(0, 0, 20);
    boolean isPartial = choices.chance(50);
    int maxTokens = choices.of(0, 50, 2_000);
    int[] made = {0};
    List<BudgetedTree> helpers =
        depth == DEPTH
            ? List.of()
            : choices.list(2, c -> draw(c, name + "-" + ++made[0], depth + 1));
    return new BudgetedTree(
        name, limits, List.copyOf(helpers), failures, lies, isPartial, maxTokens);
  }
}
