package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A board has no task of that id.
public final class UnknownTask extends SuperstepException {
  UnknownTask(String board, String task) {
    super(
        "board.unknown-task",
        "Board `%s` has no task `%s`. Look at its tasks; finished ones are gone once swept."
            .formatted(board, task));
  }
}
