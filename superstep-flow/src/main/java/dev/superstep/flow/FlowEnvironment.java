package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.model.ModelResolver;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolGate;
import org.jspecify.annotations.Nullable;

/// What a flow is given from outside: it makes no difference to its shape. Immutable.
///
/// @param models asked in place of those that its agents were made with, if there are any
/// @param gate holds for its agents, beside their own
record FlowEnvironment(@Nullable ModelResolver models, ToolDependencies injected, ToolGate gate) {
  static final FlowEnvironment NONE =
      new FlowEnvironment(null, ToolDependencies.none(), ToolGate.open());

  <A> Agent<A> of(Agent<A> agent) {
    var given = agent.withInjected(injected).within(gate);
    return models == null ? given : given.withModels(models);
  }
}
