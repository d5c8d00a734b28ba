package dev.superstep.checkpoint;

/// The storage has other content than what was saved, or has lost some of it. Nothing was changed;
/// a run that meets this stops before it continues from a wrong state.
public final class StoreDamaged extends StoreFailed {
  private final String why;

  /// @param store which storage, as a person would name it
  /// @param why one sentence without a full stop: what is damaged and what to do
  public StoreDamaged(String store, String why, Throwable cause) {
    super(
        "store.damaged",
        store,
        ("The store %s is damaged: %s. Some of what was saved is lost or changed, so do not"
                + " resume from it; what other threads saved may be intact.")
            .formatted(store, why),
        cause);
    this.why = why;
  }

  /// The damage.
  public String why() {
    return why;
  }
}
