package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;

/// The storage behind a checkpointer failed. The run stops; what was saved before is intact.
public final class StoreFailed extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String store;

  /// @param store which storage, as a person would name it
  /// @param why one sentence without a full stop
  public StoreFailed(String store, String why, Throwable cause) {
    super(
        "store.failed",
        "The store "
            + store
            + " failed: "
            + why
            + ". What was saved before is intact; resume the thread when the store works.",
        cause);
    this.store = store;
  }

  /// Which storage it was.
  public String store() {
    return store;
  }
}
