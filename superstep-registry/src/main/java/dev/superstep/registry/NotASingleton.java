package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component with a factory was requested as a shared object.
public final class NotASingleton extends SuperstepException {
  NotASingleton(ComponentId id) {
    super("registry.made-per-run", "`%s` is made per run. Use instantiate.".formatted(id));
  }
}
