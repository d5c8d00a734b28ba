package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component is registered under an id that is taken.
public final class DuplicateComponent extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final transient ComponentId id;

  DuplicateComponent(ComponentId id, String registry) {
    super(
        "registry.duplicate",
        "Registry `%s` has `%s` already. Give it another name or version, or use replace."
            .formatted(registry, id),
        null);
    this.id = id;
  }

  /// Which it is.
  public ComponentId id() {
    return id;
  }
}
