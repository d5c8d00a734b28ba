package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// Somebody asked for a detached task of somebody else. Nothing happened to it.
public final class NotTheOwner extends SuperstepException {
  private final String owner;
  private final String task;

  NotTheOwner(String owner, String task) {
    super(
        "detached.not-the-owner",
        "Detached task `%s` does not belong to `%s`. Only who started a task may see, await or cancel it."
            .formatted(task, owner));
    this.owner = owner;
    this.task = task;
  }

  /// Who asked.
  public String owner() {
    return owner;
  }

  /// The id of the task.
  public String task() {
    return task;
  }
}
