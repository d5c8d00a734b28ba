package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component that is made anew for each who asks was asked for as if it were one.
public final class NotASingleton extends SuperstepException {
  NotASingleton(ComponentId id) {
    super("registry.made-per-run", "`%s` is made per run. Use instantiate.".formatted(id));
  }
}
