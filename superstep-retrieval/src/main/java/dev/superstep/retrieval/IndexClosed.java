package dev.superstep.retrieval;

import dev.superstep.json.SuperstepException;

/// An index was used after it was closed.
public final class IndexClosed extends SuperstepException {
  IndexClosed() {
    super(
        "retrieval.index-closed",
        "The index is closed. Open it again, or close it only when nobody needs it any more.");
  }
}
