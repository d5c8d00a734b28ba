package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// A change of a board failed, because too many others changed the board at the same time.
public final class BoardContended extends SuperstepException {
  BoardContended(String board, int tries) {
    super(
        "board.contended",
        "Board `%s` was changed by others during each of %d attempts to change it. Nothing was written. Try again, or give the workers boards of their own."
            .formatted(board, tries));
  }
}
