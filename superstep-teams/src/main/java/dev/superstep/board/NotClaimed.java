package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A worker wanted to say something of a task that it does not have. Nothing was written.
public final class NotClaimed extends SuperstepException {
  NotClaimed(String board, String worker, String task) {
    super(
        "board.not-claimed",
        "`%s` does not have task `%s` of board `%s`, or not any more. Claim it before you work on it."
            .formatted(worker, task, board));
  }
}
