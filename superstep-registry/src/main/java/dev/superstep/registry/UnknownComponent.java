package dev.superstep.registry;

import dev.superstep.json.SuperstepException;
import java.util.Optional;

/// Nothing is registered under an id.
public final class UnknownComponent extends SuperstepException {
  private final Optional<ComponentId> nearest;

  UnknownComponent(String registry, ComponentId id, Optional<ComponentId> nearest) {
    super(
        "registry.unknown-component",
        "Registry `%s` has no `%s`. %s"
            .formatted(
                registry,
                id,
                nearest
                    .map(near -> "Did you mean `%s`?".formatted(near))
                    .orElse("Register it first.")));
    this.nearest = nearest;
  }

  /// The id that was probably meant.
  public Optional<ComponentId> nearest() {
    return nearest;
  }
}
