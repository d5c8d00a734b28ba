package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// The registry is closed. Nothing was started.
public final class DetachedTasksClosed extends SuperstepException {
  DetachedTasksClosed(String owner, String name) {
    super(
        "detached.closed",
        "Detached task `%s` of `%s` was not started, since the registry is closed. Start tasks before it is closed, or open another."
            .formatted(name, owner));
  }
}
