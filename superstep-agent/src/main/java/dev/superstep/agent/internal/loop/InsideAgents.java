package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.Delegation;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.graph.InsideRun;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.run.Input;
import java.util.ArrayList;

/// Runs agents inside of the hooks of others, as those that a model calls are run.
public final class InsideAgents {
  private InsideAgents() {}

  /// The run of an agent whose caller is the one of a hook.
  ///
  /// @param key names it among those of the node
  public static InsideRun of(AgentSpec called, AgentContext caller, String key, String task) {
    if (!(caller instanceof TurnContext context)) {
      throw new IllegalArgumentException("caller must be the context that a hook was given");
    }
    var spec = called.calledBy(context.spec());
    var identity = context.runState().identity();
    var around = new ArrayList<>(identity.around());
    around.add(new AgentRunState.Around(identity.run(), context.spent()));
    var call = new ToolCall(key, AgentSpec.toolName(called.name()), "");
    var given = new Delegation(call, task, around);
    var by = context.spec().name();
    return InsideRun.of(
        key,
        AgentGraph.of(spec),
        () -> {
          context.emit(new AgentEvent.SubagentStarted(by, call.id(), call.tool()));
          return Input.all(spec.messages(), given.conversation())
              .and(AgentChannels.CALLED, given.alone());
        });
  }
}
