package dev.superstep.checkpoint;

/// The storage of a checkpointer was moved, renamed, deleted or replaced while it was open, so a
/// write would go where nobody looks for it. The write was refused.
public final class StoreMoved extends StoreFailed {
  private final String why;

  /// @param store which storage, as a person would name it
  /// @param why one sentence without a full stop: what is in its place
  public StoreMoved(String store, String why, Throwable cause) {
    super(
        "store.moved",
        store,
        ("The store %s was moved while it was open: %s. Nothing more was written. What was"
                + " saved before is where the old one went: move it back, with the files beside it,"
                + " and resume the thread.")
            .formatted(store, why),
        cause);
    this.why = why;
  }

  /// The thing that is in its place.
  public String why() {
    return why;
  }
}
