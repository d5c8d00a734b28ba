package dev.superstep.goal;

import dev.superstep.schema.Description;
import dev.superstep.schema.Limits;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.math.BigDecimal;
import java.util.Optional;

/// Lets an agent look at the goal of its thread, and say that it is reached. To set, pause and
/// raise is left to people and to the program.
///
/// ```java
/// Agent.named("clerk").model(model).tools(GoalTools.of(goals))
/// ```
public final class GoalTools {
  private static final int RESULT_MAX = 2_000;
  private static final ToolPolicy WRITES =
      ToolPolicy.of(SideEffect.EXTERNAL_SERVICE).idempotent().backgroundSafe();

  private GoalTools() {}

  /// The tools `goal_show` and `goal_complete`.
  public static Tools of(Goals goals) {
    return Tools.of(
        Tool.of(
                "goal_show",
                "Shows the goal of this conversation, and what is left of its budget.",
                Nothing.class,
                (_, context) -> show(goals, context))
            .withPolicy(ToolPolicy.readOnly()),
        Tool.of(
                "goal_complete",
                "Says that the goal of this conversation is reached. Only when all of it is.",
                Reached.class,
                (given, context) -> complete(goals, given, context))
            .withPolicy(WRITES));
  }

  record Nothing() {}

  record Reached(
      @Description("What came of it, for whoever set it.")
          @Limits(minLength = 1, maxLength = RESULT_MAX)
          String result) {}

  record View(
      String objective,
      GoalStatus status,
      long turn,
      Optional<Long> turnsLeft,
      Optional<Long> tokensLeft,
      Optional<BigDecimal> moneyLeft) {
    static View of(Goal goal) {
      var budget = goal.budget();
      var spent = goal.spent();
      return new View(
          goal.objective(),
          goal.status(),
          goal.turns(),
          budget.turns().map(most -> Math.max(0, most - goal.turns())),
          budget.tokens().map(most -> Math.max(0, most - spent.usage().total())),
          budget.cost().map(most -> most.subtract(spent.cost()).max(BigDecimal.ZERO)));
    }
  }

  private static Object show(Goals goals, ToolContext context) {
    return goals
        .find(thread(context))
        .<Object>map(View::of)
        .orElse("This conversation has no goal.");
  }

  private static Object complete(Goals goals, Reached given, ToolContext context) {
    var goal = goals.find(thread(context));
    if (goal.isEmpty()) return ToolResult.error("This conversation has no goal.");
    // This may be the call that completed it, run again.
    if (goal.get().status() == GoalStatus.COMPLETE) return "The goal is complete.";
    goals.complete(goal.get().thread(), given.result());
    return "The goal is complete. Say so, and end your turn.";
  }

  private static String thread(ToolContext context) {
    return context.node().thread().orElse("");
  }
}
