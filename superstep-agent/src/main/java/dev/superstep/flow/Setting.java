package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.model.ModelResolver;
import dev.superstep.tool.Injected;
import org.jspecify.annotations.Nullable;

/// What a flow is given from outside: it makes no difference to its shape. Immutable.
///
/// @param models asked in place of those that its agents were made with, if there are any
record Setting(@Nullable ModelResolver models, Injected injected) {
  static final Setting NONE = new Setting(null, Injected.none());

  <A> Agent<A> of(Agent<A> agent) {
    var given = agent.withInjected(injected);
    return models == null ? given : given.withModels(models);
  }
}
