package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A worker cannot claim a task, since there is one in progress. Nothing was claimed.
public final class TaskInProgress extends SuperstepException {
  private final String task;

  /// @param now what is in progress
  TaskInProgress(String board, String worker, BoardTask now) {
    super("board.task-in-progress", message(board, worker, now));
    this.task = now.id();
  }

  private static String message(String board, String worker, BoardTask now) {
    var holder = now.worker().orElseThrow();
    return holder.equals(worker)
        ? "`%s` has task `%s` of board `%s` in progress. Finish, block or release it first."
            .formatted(worker, now.id(), board)
        : "`%s` cannot claim a task of board `%s`, which allows one at a time: `%s` has `%s` in progress. Wait until it is done."
            .formatted(worker, board, holder, now.id());
  }

  /// The id of the task that is in progress.
  public String task() {
    return task;
  }
}
