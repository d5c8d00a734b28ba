package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.AgentTask;
import dev.superstep.agent.internal.state.Delegation;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Answers a call by a run of another agent, inside the hooks of middleware, like a call of a tool.
/// Immutable.
public final class SubAgentCaller implements Subgraph.Interceptor<Delegation> {
  public static final String NOT_RUN = "agent.not-run";

  private final AgentSpec spec;
  private final ToolCallHooks hooks;
  private final ToolNode tools;

  /// @param tools answers the call if middleware makes it one of a tool
  SubAgentCaller(AgentSpec spec, ToolNode tools) {
    this.spec = spec;
    this.hooks = new ToolCallHooks(spec);
    this.tools = tools;
  }

  @Override
  public NodeResult run(
      Delegation given, State state, NodeContext node, Subgraph.Invocation<Delegation> within)
      throws Exception {
    var context = new TurnContext(spec, node, state, state.get(AgentRunState.CHANNEL));
    var refused = new ApprovalCheck(spec).refused(given.call(), context);
    if (refused != null) return refused(given.call(), refused, context);
    // Before the other agent begins, which counts within this one's.
    LedgerRegistry.of(context, spec);
    CallerLabels.pass(spec, node);
    var sent = given.call();
    var call = hooks.before(sent, context);
    var run = new Run(given, context, within);
    ToolResult made;
    try (var _ = CallLimits.permit(context)) {
      made = hooks.call(call, context, run::answer);
    }
    var result = hooks.after(call, made, context);
    if (!run.hasRun()) {
      context.emit(new AgentEvent.SubagentFailed(spec.name(), sent.id(), sent.tool(), NOT_RUN));
    }
    var elsewhere = run.elsewhere();
    return elsewhere == null ? tools.update(sent, result, context).and(run.more()) : elsewhere;
  }

  private NodeResult refused(ToolCall call, ToolResult refused, TurnContext context) {
    context.emit(new AgentEvent.SubagentFailed(spec.name(), call.id(), call.tool(), NOT_RUN));
    return tools.update(call, refused, context);
  }

  /// The conversation of the agent's earlier calls.
  private List<Message> before(String tool, TurnContext context) {
    var helper = spec.helpers().get(tool);
    if (helper == null || !helper.remembers()) return List.of();
    var before = new ArrayList<Message>();
    for (var session : context.state().get(AgentChannels.SESSIONS)) {
      if (!session.tool().equals(tool)) continue;
      if (session.isWhole()) before.clear();
      before.addAll(session.messages());
    }
    return before;
  }

  /// Of the conversation of an agent that remembers, only what is new, unless it was rewritten:
  /// others may have added to it at the same time.
  private static NodeResult added(NodeResult result, List<Message> before) {
    if (!(result instanceof Update(var writes))) return result;
    return new Update(writes.stream().map(write -> added(write, before)).toList());
  }

  private static Write added(Write write, List<Message> before) {
    if (!(write instanceof Write.Put<?>(_, AgentChannels.Session(var tool, var all, _))))
      return write;
    int known = before.size();
    boolean goesOn = all.size() >= known && all.subList(0, known).equals(before);
    if (!goesOn) return write;
    var session = new AgentChannels.Session(tool, all.subList(known, all.size()), false);
    return new Write.Put<>(AgentChannels.SESSIONS, session);
  }

  /// The run of the other agent. One thread at a time.
  private final class Run {
    private final Delegation given;
    private final TurnContext context;
    private final Subgraph.Invocation<Delegation> within;
    private @Nullable NodeResult ended;

    Run(Delegation given, TurnContext context, Subgraph.Invocation<Delegation> within) {
      this.given = given;
      this.context = context;
      this.within = within;
    }

    /// Middleware that calls for it again gets the same answer: a run ends once.
    ToolResult answer(ToolCall call) throws InterruptedException {
      if (!call.tool().equals(given.call().tool())) {
        return tools.run(call, given.call(), context);
      }
      if (ended == null) {
        var admitted = tools.admitted(call, given.call(), context);
        if (admitted instanceof ToolCaller.Checked.Bad(_, _, var why)) return ToolResult.error(why);
        CallLimits.time(call.tool(), context)
            .ifPresent(most -> CallLimits.of(context.node()).limit(context.node(), most));
        // It may be cancelled with this one, also before this one's next turn.
        var _ = context.inbox();
        var before = SubAgentCaller.this.before(call.tool(), context);
        var with = new Delegation(given.call(), task(admitted.call()), given.around(), before);
        ended = added(within.run(with), before);
      }
      for (var write : writes()) {
        if (write instanceof Write.Put<?>(_, var value) && value instanceof ToolMessage told) {
          var artifact = told.artifact();
          return new ToolResult(told.content(), told.error(), artifact, Optional.empty(), false);
        }
      }
      return ToolResult.error("The agent handed over to another one.");
    }

    private String task(ToolCall call) {
      if (call.equals(given.call())) return given.task();
      return Json.parse(call.arguments()).as(AgentTask.class).task();
    }

    boolean hasRun() {
      return ended != null;
    }

    private List<Write> writes() {
      return ended instanceof Update update ? update.writes() : List.of();
    }

    /// The writes of the run beside the answer.
    Update more() {
      return new Update(
          writes().stream()
              .filter(w -> !(w instanceof Write.Put<?>(_, var value) && value instanceof Message))
              .toList());
    }

    /// Where the other agent handed over to, if it did.
    @Nullable NodeResult elsewhere() {
      return ended instanceof Update ? null : ended;
    }
  }
}
