package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// Somebody asked for a detached task of somebody else. Nothing happened to it.
public final class NotTheOwner extends SuperstepException {
  private final String owner;

  NotTheOwner(String owner, String task) {
    super(
        "detached.not-the-owner",
        "Detached task `%s` does not belong to `%s`. Only who started a task may see, await or cancel it."
            .formatted(task, owner));
    this.owner = owner;
  }

  /// Who asked.
  public String owner() {
    return owner;
  }
}
