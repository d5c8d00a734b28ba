package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.RunLedger;
import dev.superstep.agent.internal.state.SpendingLog;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The accounts of the agents of one run. A run that is resumed makes them anew, from what the
/// agents' threads say and from the logs of their supersteps. Safe for many threads.
public final class LedgerRegistry {
  /// The ledger that a caller gives to all agents of a run: `Agent.LEDGER`.
  public static final ContextKey<Ledger> SHARED = ContextKey.of("budget-ledger", Ledger.class);

  private static final ContextKey<LedgerRegistry> KEY =
      ContextKey.of("agent-books", LedgerRegistry.class);

  /// By the run of an agent, or the task of a tool that is a graph.
  private final ConcurrentHashMap<String, RunLedger> accounts = new ConcurrentHashMap<>();

  private LedgerRegistry() {}

  /// The account of an agent, within those of its callers. An agent that starts others asks for its
  /// own before they begin.
  static RunLedger of(TurnContext context, AgentSpec spec) {
    var books = of(context.node());
    var around = context.runState().identity().around();
    var account =
        around.isEmpty() ? books.outermost(context, spec) : books.inside(context, spec, around);
    context.steered().calls().ifPresent(account.ledger()::atMostCalls);
    context.steered().totalTokens().ifPresent(account.ledger()::atMostTokens);
    return account;
  }

  /// Begins an account of what agents in a tool's graph spend, for the task that runs it.
  static RunLedger ofTool(TurnContext context, AgentSpec spec, String tool) {
    return ofTask(context, spec, tool, context.node().task(), Budget.unlimited());
  }

  /// Begins an account of what a graph spends that runs in a task, or inside of one.
  ///
  /// @param name for errors
  /// @param most what it may spend
  static RunLedger ofTask(
      TurnContext context, AgentSpec spec, String name, String task, Budget most) {
    var caller = of(context, spec);
    return of(context.node())
        .accounts
        .compute(
            task,
            (_, known) -> {
              if (known != null) return caller.withinTool(known.ledger(), task);
              var ledger = caller.ledger().within(name, most, task);
              ledger.atLeastOfKnown(caller.log().inside(task));
              return caller.withinTool(ledger, task);
            });
  }

  private static LedgerRegistry of(NodeContext node) {
    return node.shared(KEY, LedgerRegistry::new);
  }

  /// The account of an agent that no other one called. It may be in the graph of a tool of one.
  private RunLedger outermost(TurnContext context, AgentSpec spec) {
    var tool = tool(context.node());
    var run = context.run();
    // Each superstep has a log of its own.
    return accounts.compute(
        run,
        (_, known) ->
            tool == null ? alone(context, spec, known) : inTool(context, spec, tool, known));
  }

  private static RunLedger alone(TurnContext context, AgentSpec spec, @Nullable RunLedger known) {
    var run = context.run();
    var node = context.node();
    var before = context.spent();
    if (known != null) {
      known.ledger().atLeast(before);
      if (known.log().isOf(node)) return known;
      return new RunLedger(known.ledger(), SpendingLog.of(node), List.of(run), false);
    }
    var log = SpendingLog.of(node);
    var shared = context.node().find(SHARED);
    var ledger =
        shared.isEmpty()
            ? Ledger.of(spec.name(), spec.budget())
            : shared.get().within(spec.name(), spec.budget(), run);
    ledger.atLeast(before.plus(log.all()));
    return new RunLedger(ledger, log, List.of(run), false);
  }

  private static RunLedger inTool(
      TurnContext context, AgentSpec spec, RunLedger tool, @Nullable RunLedger known) {
    if (known != null) return tool.within(known.ledger(), context.run());
    return made(context, spec, tool, context.node().find(SHARED).orElse(tool.ledger()));
  }

  private RunLedger inside(TurnContext context, AgentSpec spec, List<AgentRunState.Around> around) {
    var task = context.node().enclosingTasks();
    // A hook of the caller may run it inside of a task.
    var own = task.isEmpty() ? null : accounts.get(task.getLast());
    var caller = own == null ? accounts.get(around.getLast().run()) : own;
    if (caller == null) {
      throw new IllegalStateException("agent `" + spec.name() + "` began before its caller");
    }
    return accounts.compute(
        context.run(),
        (run, known) ->
            known != null ? caller.within(known.ledger(), run) : made(context, spec, caller));
  }

  private static RunLedger made(TurnContext context, AgentSpec spec, RunLedger caller) {
    return made(context, spec, caller, caller.ledger());
  }

  /// @param around the ledger that it spends from, which is the caller's or one within that
  private static RunLedger made(
      TurnContext context, AgentSpec spec, RunLedger caller, Ledger around) {
    var run = context.run();
    var ledger = around.within(spec.name(), spec.budget(), run);
    // The caller's ledger knows of that already, from the same log.
    ledger.atLeastOfKnown(caller.log().inside(run));
    ledger.atLeast(context.spent());
    return caller.within(ledger, run);
  }

  /// The account of the innermost tool inside of which a node runs; null if there is none.
  private @Nullable RunLedger tool(NodeContext node) {
    for (var task : node.enclosingTasks().reversed()) {
      var account = accounts.get(task);
      if (account != null) return account;
    }
    return null;
  }
}
