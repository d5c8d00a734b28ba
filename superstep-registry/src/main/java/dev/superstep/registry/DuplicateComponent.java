package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component is registered under an id that is taken.
public final class DuplicateComponent extends SuperstepException {
  DuplicateComponent(ComponentId id, String registry) {
    super(
        "registry.duplicate",
        "Registry `%s` has `%s` already. Give it another name or version, or use replace."
            .formatted(registry, id));
  }
}
