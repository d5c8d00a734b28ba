package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.model.ModelResolver;
import dev.superstep.tool.ToolDependencies;
import dev.superstep.tool.ToolGate;
import org.jspecify.annotations.Nullable;

/// External settings of a flow that do not change its shape. Immutable.
///
/// @param models replace the models that its agents were built with, if present
/// @param gate limits its agents, in addition to their own gates
record FlowEnvironment(@Nullable ModelResolver models, ToolDependencies injected, ToolGate gate) {
  static final FlowEnvironment NONE =
      new FlowEnvironment(null, ToolDependencies.none(), ToolGate.open());

  <A> Agent<A> of(Agent<A> agent) {
    var given = agent.withInjected(injected).within(gate);
    return models == null ? given : given.withModels(models);
  }
}
