package dev.superstep.testkit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.OnLimit;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.run.Answers;
import dev.superstep.testkit.Property;
import dev.superstep.tool.Tool;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Trees of agents that spend as much as they may never spend more than that, at any level, however
/// often they fail and are resumed, and whatever their vendors say they used.
@Tag("T53")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BudgetPropertyTest {
  private static final int CASES = Integer.getInteger("superstep.budgets", 120);

  record None() {}

  private static final Tool LOOK = Tool.of("look", "Looks.", None.class, (_, _) -> "seen");

  /// How a run ended.
  private enum End {
    ANSWERED,
    PARTIAL,
    LIMIT,
    BUDGET,
    MODEL,
    BROKEN
  }

  private static final int RESUMPTIONS = 4;

  private final Map<End, Integer> ends = new EnumMap<>(End.class);

  @Test
  void no_ledger_is_ever_overdrawn_by_agents_one_after_another() throws Exception {
    Property.check(1, CASES, BudgetedTree.trees(), tree -> holds(tree, 1));
    eachEndWasMet();
  }

  @Test
  void no_ledger_is_ever_overdrawn_by_agents_side_by_side() throws Exception {
    Property.check(1, CASES, BudgetedTree.trees(), tree -> holds(tree, 64));
    eachEndWasMet();
  }

  /// Else the property would hold of programs that do not do much.
  private void eachEndWasMet() {
    assertThat(ends).containsKeys(End.values());
    assertThat(ends.get(End.ANSWERED)).isGreaterThan(CASES / 20);
    assertThat(ends.get(End.BUDGET)).isGreaterThan(CASES / 20);
  }

  private void holds(BudgetedTree tree, int concurrency) throws Exception {
    var books = new SpendingBooks();
    var agent = agent(tree, books, concurrency);
    var thread = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    End end = End.BROKEN;
    for (int i = 0; i <= RESUMPTIONS; i++) {
      // Each time as another process, which knows only what the thread says.
      var ledger = Ledger.of("all", Budget.unlimited().calls(200));
      var options = thread.concurrency(concurrency).with(Agent.LEDGER, ledger);
      end = end(agent, options, i > 0);
      ends.merge(end, 1, Integer::sum);
      assertThat(books.excesses()).isEmpty();
      assertThat(ledger.spent().calls()).isEqualTo(books.calls("run"));
      var counted = ledger.spent().usage();
      assertThat(counted.input()).isGreaterThanOrEqualTo(books.usage("run").input());
      if (end == End.ANSWERED || end == End.PARTIAL) return;
    }
  }

  private static End end(Agent<String> agent, RunOptions options, boolean resumes)
      throws InterruptedException {
    try {
      return switch (resumes ? agent.resume(Answers.none(), options) : agent.run("run", options)) {
        case AgentResult.Answered<String> _ -> End.ANSWERED;
        case AgentResult.Partial<String> _ -> End.PARTIAL;
        case AgentResult.Waiting<String> other -> throw new AssertionError(other);
        case AgentResult.Stopped<String> other -> throw new AssertionError(other);
      };
    } catch (SuperstepException e) {
      return switch (e) {
        case BudgetExceeded _ -> End.BUDGET;
        case LimitReached _ -> End.LIMIT;
        case ModelException _ -> End.MODEL;
        case NodeFailed _ -> End.BROKEN;
        default -> throw e;
      };
    }
  }

  private static Agent<String> agent(BudgetedTree tree, SpendingBooks books, int concurrency) {
    var agent =
        Agent.named(tree.name())
            .model(new SpendingModel(tree, books, tree.hashCode()))
            .middleware(new Again())
            .tools(LOOK)
            .budget(tree.limits().budget())
            .modelCalls(5)
            .toolCalls(12)
            .concurrency(concurrency)
            .onLimit(tree.isPartial() ? OnLimit.RETURN_PARTIAL : OnLimit.FAIL);
    if (tree.maxTokens() > 0) agent = agent.request(r -> r.withMaxTokens(tree.maxTokens()));
    for (var helper : tree.helpers()) {
      agent = agent.agent(agent(helper, books, concurrency), "Helps.");
    }
    return agent.build();
  }

  /// Asks up to three times.
  private static final class Again implements Middleware {
    private static final int ATTEMPTS = 3;

    @Override
    public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
        throws Exception {
      for (int attempt = 1; ; attempt++) {
        try {
          return next.call(request);
        } catch (ModelException e) {
          if (attempt == ATTEMPTS || !e.isRetryable()) throw e;
        }
      }
    }
  }
}
