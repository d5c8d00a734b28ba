package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentNodes;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.Delegation;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.ApprovalNeedsStore;
import dev.superstep.agent.steering.Steering;
import dev.superstep.budget.Spend;
import dev.superstep.message.Messages;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Begins a run of an agent: a new identity, new counters, the same conversation. Immutable.
final class BeginNode implements Node {
  private final AgentSpec spec;
  private final ToolCallPolicy policy;
  private final Set<String> approvedTools;

  BeginNode(AgentSpec spec, ToolCallPolicy policy) {
    this.spec = spec;
    this.policy = policy;
    this.approvedTools = spec.approvedTools();
  }

  @Override
  public NodeResult run(State state, NodeContext node) throws Exception {
    // Steering may bring the decisions before anybody is asked.
    if (!approvedTools.isEmpty() && !node.isPersistent() && node.find(Steering.KEY).isEmpty()) {
      throw new ApprovalNeedsStore(spec.name(), approvedTools);
    }
    var around = state.find(AgentChannels.CALLED).map(Delegation::around);
    var identity = new AgentRunState.Identity(node.task(), around.orElse(List.of()));
    var runState = AgentRunState.begin(identity, began(node));
    var context = new TurnContext(spec, node, state, runState);
    var messages = state.get(spec.messages());
    context.emit(
        new AgentEvent.AgentStarted(
            spec.name(), identity.run(), identity.parent(), identity.root()));
    var labels = node.hasListeners() ? context.labels() : Map.<String, String>of();
    if (!labels.isEmpty()) {
      context.emit(new AgentEvent.AgentLabelled(spec.name(), identity.run(), labels));
    }
    context.emit(new AgentEvent.MemoryLoaded(spec.name(), messages.size()));
    var called = state.find(AgentChannels.CALLED);
    if (called.isPresent() && messages.size() > 1) {
      context.emit(reused(called.get(), messages.size() - 1));
    }
    if (!spec.calling().hidden().isEmpty()) {
      context.emit(new AgentEvent.ToolsFiltered(spec.name(), spec.calling().hidden()));
    }
    for (var one : spec.middleware()) {
      MiddlewareHooks.run(one, "beforeAgent", context, () -> one.beforeAgent(context));
    }
    var open = Messages.openCalls(messages);
    var callDecisions = policy.callDecisions(open, context);
    var next =
        open.isEmpty()
            ? Command.to(AgentNodes.MODEL)
            : ToolCallPolicy.asks(callDecisions)
                ? Command.to(AgentNodes.REVIEW)
                : policy.sent(callDecisions, context);
    if (spec.remembers()) next = next.with(Update.overwrite(AgentChannels.SESSIONS, List.of()));
    return next.with(Update.overwrite(AgentRunState.CHANNEL, runState.calling(open.size())))
        .with(Update.overwrite(AgentChannels.SPEND, Spend.NONE))
        .with(Update.overwrite(AgentChannels.FINAL, List.of()))
        .with(context.with(List.of()));
  }

  private AgentEvent reused(Delegation given, int messages) {
    var by = spec.caller() == null ? "" : spec.caller().name();
    return new AgentEvent.SubagentReused(by, given.call().id(), spec.name(), messages);
  }

  /// When the agent began, as a step: a replay must see the same. Nobody asks without a limit.
  private Instant began(NodeContext node) throws Exception {
    if (spec.limits().time() == null) return Instant.EPOCH;
    return node.step("began", Instant.class, () -> node.clock().instant());
  }
}
