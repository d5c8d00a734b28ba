package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component needs another that is not there.
public final class MissingDependency extends SuperstepException {
  private final ComponentId id;

  MissingDependency(ComponentId id, ComponentId missing) {
    super(
        "registry.missing-dependency",
        "`%s` depends on `%s`, which is not registered. Register it first.".formatted(id, missing));
    this.id = id;
  }

  /// Which it is.
  public ComponentId id() {
    return id;
  }
}
