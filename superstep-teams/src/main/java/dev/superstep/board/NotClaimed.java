package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A worker wanted to say something of a task that it does not have. Nothing was written.
public final class NotClaimed extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String task;
  private final String worker;

  NotClaimed(String board, String worker, String task) {
    super(
        "board.not-claimed",
        "`%s` does not have task `%s` of board `%s`, or not any more. Claim it before you work on it."
            .formatted(worker, task, board),
        null);
    this.task = task;
    this.worker = worker;
  }

  /// The id of the task.
  public String task() {
    return task;
  }

  /// Who wanted to say something.
  public String worker() {
    return worker;
  }
}
