package dev.superstep.repl.agent;

import dev.superstep.json.SuperstepException;

/// So many cells in a row failed that their model is not asked for another one.
public final class CellsKeptFailing extends SuperstepException {
  private static final long serialVersionUID = 1;

  CellsKeptFailing(int cells, String code) {
    super(
        "repl.cells-kept-failing",
        "%d cells in a row failed, the last with `%s`. Look at its cells, or allow more errors."
            .formatted(cells, code));
  }
}
