package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// An alias leads to itself.
public final class AliasLoop extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final transient ComponentId id;

  AliasLoop(ComponentId id) {
    super(
        "registry.alias-loop",
        "Alias `%s` leads back to itself. Point it to a component.".formatted(id),
        null);
    this.id = id;
  }

  /// Which it is.
  public ComponentId id() {
    return id;
  }
}
