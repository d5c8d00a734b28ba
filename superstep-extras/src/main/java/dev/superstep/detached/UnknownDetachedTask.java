package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// No detached task has this id: it never had, or the task was swept after it had ended.
public final class UnknownDetachedTask extends SuperstepException {
  private final String owner;
  private final String task;

  UnknownDetachedTask(String owner, String task) {
    super(
        "detached.unknown-task",
        "There is no detached task `%s` for `%s`. Either no task had this id, or it had ended and was swept; read results before the sweep."
            .formatted(task, owner));
    this.owner = owner;
    this.task = task;
  }

  /// Who asked.
  public String owner() {
    return owner;
  }

  /// The id.
  public String task() {
    return task;
  }
}
