package dev.superstep.detached;

import dev.superstep.json.SuperstepException;

/// No detached task has this id: it never had, or the task was swept after it had ended.
public final class UnknownDetachedTask extends SuperstepException {
  UnknownDetachedTask(String owner, String task) {
    super(
        "detached.unknown-task",
        "There is no detached task `%s` for `%s`. Either no task had this id, or it had ended and was swept; read results before the sweep."
            .formatted(task, owner));
  }
}
