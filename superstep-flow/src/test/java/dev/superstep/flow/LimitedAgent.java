package dev.superstep.flow;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Prices;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Gen;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/// An agent with limits of its own, and the agents that it may call, as a value that can be shrunk.
/// Immutable.
///
/// @param called the way in which the agent around it calls it
/// @param helpers the agents that it may call
record LimitedAgent(
    String name, Called called, Limits limits, Trouble trouble, List<LimitedAgent> helpers) {
  private static final int LEVELS = 3;
  private static final int HELPERS_MAX = 3;

  /// What one token costs.
  static final Prices PRICES =
      (_, usage) -> Optional.of(BigDecimal.valueOf(usage.input() + 4 * usage.output(), 6));

  /// The way in which one agent is called by another.
  enum Called {
    /// As an agent with a run of its own.
    AGENT,
    /// As an agent that remembers its earlier runs.
    REMEMBERING,
    /// As one of the tools.
    TOOL,
    /// By a typed flow, which is a tool.
    FLOW,
    /// Twice at once by a graph, which is a tool.
    GRAPH;

    /// Returns whether the agent around it calls it itself.
    boolean isAgent() {
      return switch (this) {
        case AGENT, REMEMBERING, TOOL -> true;
        case FLOW, GRAPH -> false;
      };
    }
  }

  /// The limits of a run; 0 is none.
  ///
  /// @param seconds on the clock of the run
  /// @param calls of models, in the budget
  /// @param micros in the budget, in millionths
  /// @param isPartial whether it gives what it has at a limit
  record Limits(
      int modelCalls,
      int toolCalls,
      int concurrency,
      int depth,
      int seconds,
      int calls,
      int tokens,
      int micros,
      boolean isPartial) {
    Budget budget() {
      var budget = Budget.unlimited();
      if (calls > 0) budget = budget.calls(calls);
      if (tokens > 0) budget = budget.totalTokens(tokens);
      if (micros > 0) {
        budget = budget.money(BigDecimal.valueOf(micros, 6).toPlainString(), "USD", PRICES);
      }
      return budget;
    }

    private static Limits draw(Choices choices) {
      return new Limits(
          choices.between(1, 6),
          choices.between(0, 9),
          choices.between(1, 4),
          choices.of(8, 1, 2, 3),
          choices.chance(25) ? choices.between(1, 60) : 0,
          choices.chance(25) ? choices.between(1, 12) : 0,
          choices.chance(25) ? choices.between(1, 12_000) : 0,
          choices.chance(25) ? choices.between(1, 40_000) : 0,
          choices.chance(50));
    }
  }

  /// What goes wrong, in percent of its calls.
  ///
  /// @param steered how often somebody steers while its model is at work
  /// @param drained how often somebody drains the run then
  record Trouble(int failures, int badTools, int steered, int drained) {
    private static Trouble draw(Choices choices) {
      return new Trouble(
          choices.of(0, 10, 30), choices.of(0, 10, 30), choices.of(0, 0, 15), choices.of(0, 0, 10));
    }
  }

  static Gen<LimitedAgent> trees() {
    return choices -> draw(choices, "root", 1);
  }

  private static LimitedAgent draw(Choices choices, String name, int level) {
    var called = choices.of(Called.values());
    var limits = Limits.draw(choices);
    var trouble = Trouble.draw(choices);
    int[] made = {0};
    List<LimitedAgent> helpers =
        level == LEVELS
            ? List.of()
            : choices.list(HELPERS_MAX, c -> draw(c, name + "-" + ++made[0], level + 1));
    return new LimitedAgent(name, called, limits, trouble, List.copyOf(helpers));
  }

  /// The name of the tool by which it is called.
  String tool() {
    return name.replace('-', '_');
  }
}
