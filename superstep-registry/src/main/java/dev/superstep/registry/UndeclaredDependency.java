package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A factory asked for a component that its own does not declare.
public final class UndeclaredDependency extends SuperstepException {
  private final ComponentId id;

  UndeclaredDependency(ComponentId id, ComponentId asked) {
    super(
        "registry.undeclared-dependency",
        "The factory of `%s` asked for `%s`. Declare it with withDependencies(\"%s\")."
            .formatted(id, asked, asked));
    this.id = id;
  }

  /// Which it is.
  public ComponentId id() {
    return id;
  }
}
