package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component does not have the type of its kind.
public final class WrongType extends SuperstepException {
  WrongType(ComponentId id, Class<?> wanted, Class<?> found) {
    super(
        "registry.wrong-type",
        "`%s` should be a %s and is a %s. Use the kind that it was registered with."
            .formatted(id, wanted.getSimpleName(), found.getSimpleName()));
  }
}
