package dev.superstep.board;

import dev.superstep.json.SuperstepException;

/// So many others changed a board at the same time that a change never came about.
public final class BoardContended extends SuperstepException {
  BoardContended(String board, int tries) {
    super(
        "board.contended",
        "Board `%s` was changed by others during each of %d attempts to change it. Nothing was written. Try again, or give the workers boards of their own."
            .formatted(board, tries));
  }
}
