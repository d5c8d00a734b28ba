package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A board has no task of that id.
public final class UnknownTask extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String task;

  UnknownTask(String board, String task) {
    super(
        "board.unknown-task",
        "Board `%s` has no task `%s`. Look at its tasks; finished ones are gone once swept."
            .formatted(board, task),
        null);
    this.task = task;
  }

  /// The id.
  public String task() {
    return task;
  }
}
