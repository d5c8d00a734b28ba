package dev.superstep.cli.rlm.bench;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplTemplate;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.Optional;

/// A question, answered in one way by an agent that works by programs.
///
/// @param driver writes the programs, and reads the text itself in the direct way
/// @param leaf is asked by programs
/// @param ledger of all trials
record Trial(Way way, Task task, ChatModel driver, ChatModel leaf, Ledger ledger) {
  private static final int CALLS_MAX = 4_000;
  private static final long OPERATIONS = 50_000_000;

  /// The end of a trial.
  enum End {
    ANSWERED,
    /// The model's window was too small.
    OVER_THE_WINDOW,
    FAILED,
    /// The budget of all trials is used up.
    OUT_OF_BUDGET
  }

  /// The result of a trial.
  ///
  /// @param turns of the driver
  /// @param calls of the leaf
  /// @param sent characters of all prompts
  /// @param peak characters of the driver's longest prompt
  /// @param heap bytes that were in use at most, with what was no longer needed
  record Outcome(
      End end,
      double score,
      long turns,
      long calls,
      long sent,
      long peak,
      double ms,
      long heap,
      String error) {}

  Outcome run() throws InterruptedException {
    var root = new MeteredModel(driver);
    var asked = new MeteredModel(leaf);
    var agent = agent(root, asked);
    var options =
        RunOptions.defaults()
            .with(ReplAgent.CONTEXT, TextSource.of(task.text()))
            .with(Agent.LEDGER, ledger);
    for (var pool : ManagementFactory.getMemoryPoolMXBeans()) pool.resetPeakUsage();
    long begun = System.nanoTime();
    var end = End.ANSWERED;
    var error = "";
    double score = 0;
    try {
      score = answer(agent.run(task.question(), options)).map(task.truth()::score).orElse(0.0);
    } catch (BudgetExceeded e) {
      end = End.OUT_OF_BUDGET;
    } catch (ModelException e) {
      boolean isLength = e.kind() == ModelException.Kind.CONTEXT_LENGTH;
      end = isLength ? End.OVER_THE_WINDOW : End.FAILED;
      error = String.valueOf(e.getMessage());
    } catch (SuperstepException e) {
      end = End.FAILED;
      error = String.valueOf(e.getMessage());
    }
    double ms = (System.nanoTime() - begun) / 1e6;
    return new Outcome(
        end,
        score,
        root.calls(),
        asked.calls(),
        root.sent() + asked.sent(),
        root.peak(),
        ms,
        heap(),
        error);
  }

  private static Optional<String> answer(AgentResult<String> result) {
    return result instanceof AgentResult.Answered<String>(var answer, _)
        ? Optional.of(answer)
        : Optional.empty();
  }

  private static long heap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToLong(java.lang.management.MemoryUsage::getUsed)
        .sum();
  }

  private Agent<String> agent(ChatModel root, ChatModel asked) {
    var limits =
        ReplLimits.standard()
            .withCalls(CALLS_MAX, 0, ReplLimits.standard().agents(), 0)
            .withDepth(way.depth())
            .withDirect(way == Way.DIRECT ? Integer.MAX_VALUE : 0);
    return ReplAgent.named("bench")
        .model(root)
        .grants(way.asks() ? Grants.none().model("leaf", asked) : Grants.none())
        .limits(limits)
        .policy(ReplPolicy.standard().withOperations(OPERATIONS))
        .budget(Budget.unlimited())
        .template(template())
        .build();
  }

  private ReplTemplate template() {
    return way == Way.COMBINATORS ? ReplTemplate.COMBINATORS : ReplTemplate.GENERAL;
  }
}
