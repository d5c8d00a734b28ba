package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A registry was to be changed after it was locked.
public final class RegistryLocked extends SuperstepException {
  RegistryLocked(String registry, ComponentId id) {
    super(
        "registry.locked",
        "Registry `%s` is locked, so `%s` cannot be changed in it. Change it before lock()."
            .formatted(registry, id));
  }
}
