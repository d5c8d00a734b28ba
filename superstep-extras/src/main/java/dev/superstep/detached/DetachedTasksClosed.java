package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// The registry is closed. Nothing was started.
public final class DetachedTasksClosed extends SuperstepException {
  private final String owner;
  private final String name;

  DetachedTasksClosed(String owner, String name) {
    super(
        "detached.closed",
        "Detached task `%s` of `%s` was not started, since the registry is closed. Start tasks before it is closed, or open another."
            .formatted(name, owner));
    this.owner = owner;
    this.name = name;
  }

  /// Who wanted to start it.
  public String owner() {
    return owner;
  }

  /// The name of the closed tasks.
  public String name() {
    return name;
  }
}
