package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// An alias leads to itself.
public final class AliasLoop extends SuperstepException {
  AliasLoop(ComponentId id) {
    super(
        "registry.alias-loop",
        "Alias `%s` leads back to itself. Point it to a component.".formatted(id));
  }
}
