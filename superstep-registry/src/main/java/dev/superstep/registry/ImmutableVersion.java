package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A component with a version was to be replaced or removed.
public final class ImmutableVersion extends SuperstepException {
  ImmutableVersion(ComponentId id) {
    super(
        "registry.immutable-version",
        "`%s` has a version, which never changes. Register a new version.".formatted(id));
  }
}
