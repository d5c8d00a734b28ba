package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A board has as many tasks as it can, so none was added.
public final class BoardFull extends SuperstepException {
  BoardFull(String board, int most) {
    super(
        "board.full",
        "Board `%s` has %d tasks, which is the most. Sweep those that are done or rejected, or use"
                .formatted(board, most)
            + " another board.");
  }
}
