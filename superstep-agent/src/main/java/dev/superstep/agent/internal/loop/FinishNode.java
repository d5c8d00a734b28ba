package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.steering.Steering;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.State;
import java.util.List;

/// Ends a run of an agent: hooks, and the answer. Immutable.
final class FinishNode implements Node {
  private final AgentSpec spec;

  FinishNode(AgentSpec spec) {
    this.spec = spec;
  }

  @Override
  public NodeResult run(State state, NodeContext node) throws Exception {
    var runState = state.get(AgentRunState.CHANNEL);
    var context = new TurnContext(spec, node, state, runState);
    var ending = runState.ending().orElseThrow();
    for (var one : spec.middleware().reversed()) {
      MiddlewareHooks.run(one, "afterAgent", context, () -> one.afterAgent(context));
    }
    var name = spec.name();
    context.emit(new AgentEvent.MemorySaved(name, context.conversation().size()));
    context.emit(
        new AgentEvent.AgentCompleted(
            name,
            context.run(),
            ending.reason(),
            runState.modelCalls(),
            runState.toolCalls(),
            context.usage()));
    context.inbox().ifPresent(Steering.Inbox::end);
    var called = state.find(AgentChannels.CALLED);
    if (called.isPresent()) {
      var call = called.get().call();
      var by = spec.caller() == null ? "" : spec.caller().name();
      var code = ending.code().orElse(ending.reason().name());
      context.emit(
          ending.reason().isLimit()
              ? new AgentEvent.SubagentFailed(by, call.id(), name, code)
              : new AgentEvent.SubagentCompleted(by, call.id(), name, context.usage()));
    }
    var answer = runState.answer().orElseGet(() -> Json.string(ending.text()));
    return Update.overwrite(AgentChannels.ANSWER, answer).and(context.with(List.of()));
  }
}
