package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.ToolTask;
import dev.superstep.budget.Spend;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolGraph;
import dev.superstep.tool.ToolResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Answers a call of a tool that is a graph by a run of it, inside the hooks of middleware.
/// Immutable.
final class GraphToolCaller implements Subgraph.Interceptor<ToolTask> {
  private final AgentSpec spec;
  private final ToolNode tools;

  private GraphToolCaller(AgentSpec spec, ToolNode tools) {
    this.spec = spec;
    this.tools = tools;
  }

  /// The tool as a node of its agent.
  static Subgraph<ToolTask> node(String tool, ToolGraph given, AgentSpec spec, ToolNode tools) {
    var inside = given.within(spec.calling().gate());
    return Subgraph.<ToolTask>of(
            inside.graph(),
            task -> input(inside, task),
            end -> toolMessage(tool, inside.result(end), spec))
        .interceptor(new GraphToolCaller(spec, tools));
  }

  private static Input input(ToolGraph graph, ToolTask task) {
    var arguments = task.call().arguments();
    return graph.input(Json.parse(arguments.isBlank() ? "{}" : arguments));
  }

  /// The result as a message, which says not yet what call it answers.
  private static Update toolMessage(String tool, ToolResult result, AgentSpec spec) {
    Message message = ToolCaller.message(new ToolCall("", tool, ""), result);
    return Update.of(spec.messages(), message);
  }

  @Override
  public NodeResult run(
      ToolTask task, State state, NodeContext node, Subgraph.Invocation<ToolTask> within)
      throws Exception {
    var context = new TurnContext(spec, node, state, state.get(AgentRunState.CHANNEL));
    CallerLabels.pass(spec, node);
    var refused = new ApprovalCheck(spec).refused(task.call(), context);
    if (refused != null) return tools.update(task.call(), refused, context);
    var account = LedgerRegistry.ofTool(context, spec, task.call().tool());
    // What calls models inside without being an agent spends from the same account.
    var inside = within.with(LedgerRegistry.SHARED, account.ledger());
    var result = result(task.call(), context, inside);
    var update = tools.update(task.call(), result, context);
    var logged = account.log().inside(node.task());
    var spent = logged.plus(account.ledger().spent().beyond(logged));
    return spent.equals(Spend.NONE) ? update : update.and(AgentChannels.SPEND, spent);
  }

  private ToolResult result(
      ToolCall call, TurnContext context, Subgraph.Invocation<ToolTask> within) throws Exception {
    if (context.isCancelled()) return ToolResult.error(ToolNode.NOT_RUN);
    var run = new Run(call, context, within);
    try (var _ = CallLimits.permit(context)) {
      return tools.done(call, context, run::answer);
    }
  }

  /// The run of the graph. One thread at a time.
  private final class Run {
    private final ToolCall sent;
    private final TurnContext context;
    private final Subgraph.Invocation<ToolTask> within;
    private @Nullable ToolResult ended;

    Run(ToolCall sent, TurnContext context, Subgraph.Invocation<ToolTask> within) {
      this.sent = sent;
      this.context = context;
      this.within = within;
    }

    /// Middleware that calls for it again gets the same answer: a run ends once.
    ToolResult answer(ToolCall call) throws InterruptedException {
      boolean same = call.tool().equals(sent.tool());
      if (same && ended != null) return ended;
      if (!same) return tools.run(call, sent, context);
      var given = tools.admitted(call, sent, context);
      if (given instanceof ToolCaller.Checked.Bad(_, _, var why)) return ToolResult.error(why);
      var task = new ToolTask(given.call(), Optional.empty());
      var most = CallLimits.time(given.call().tool(), context);
      ended =
          most.isEmpty()
              ? result(within.run(task))
              : ToolCaller.within(most.get(), context.node(), () -> result(within.run(task)));
      return ended;
    }

    private static ToolResult result(NodeResult made) {
      if (made instanceof Update(var writes)) {
        for (var write : writes) {
          if (write instanceof Write.Put<?>(_, ToolMessage told)) {
            var artifact = told.artifact();
            return new ToolResult(told.content(), told.error(), artifact, Optional.empty(), false);
          }
        }
      }
      throw new IllegalStateException("a tool's graph gave " + made);
    }
  }
}
