package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A factory threw.
public final class InstantiationFailed extends SuperstepException {
  private final ComponentId id;

  InstantiationFailed(ComponentId id, Exception cause) {
    super(
        "registry.instantiation-failed",
        "`%s` could not be made: %s. See the cause."
            .formatted(id, cause.getMessage() == null ? cause : cause.getMessage()),
        cause);
    this.id = id;
  }

  /// Which it is.
  public ComponentId id() {
    return id;
  }
}
