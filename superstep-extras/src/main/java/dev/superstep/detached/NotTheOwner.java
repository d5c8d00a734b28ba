package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// Somebody asked for a detached task of somebody else. Nothing happened to it.
public final class NotTheOwner extends SuperstepException {
  private final String owner;

  NotTheOwner(String owner, String task) {
    super(
        "detached.not-the-owner",
        "Detached task `"
            + task
            + "` does not belong to `"
            + owner
            + "`. Only who started a task may see, await or cancel it.");
    this.owner = owner;
  }

  /// Who asked.
  public String owner() {
    return owner;
  }
}
