package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A registry was to be changed after it was locked.
public final class RegistryLocked extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final transient ComponentId id;

  RegistryLocked(String registry, ComponentId id) {
    super(
        "registry.locked",
        "Registry `%s` is locked, so `%s` cannot be changed in it. Change it before lock()."
            .formatted(registry, id),
        null);
    this.id = id;
  }

  /// Which it is.
  public ComponentId id() {
    return id;
  }
}
