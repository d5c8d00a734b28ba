package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;

/// The storage behind a checkpointer failed. The run stops. Unless the message says otherwise, what
/// was saved before is intact.
public sealed class StoreFailed extends SuperstepException permits StoreDamaged, StoreMoved {
  private static final String CODE = "store.failed";
  private final String store;

  /// A failure that leaves what was saved as it is.
  ///
  /// @param store which storage, as a person would name it
  /// @param why one sentence without a full stop
  public StoreFailed(String store, String why, Throwable cause) {
    this(
        CODE,
        store,
        failed(store, why)
            + "What was saved before is intact; resume the thread when the store works.",
        cause);
  }

  StoreFailed(String code, String store, String message, Throwable cause) {
    super(code, message, cause);
    this.store = store;
  }

  /// A failure after which nobody can say what is left, as of a disk that cannot be read.
  ///
  /// @param store which storage, as a person would name it
  /// @param why one sentence without a full stop
  public static StoreFailed uncertain(String store, String why, Throwable cause) {
    return new StoreFailed(
        CODE,
        store,
        failed(store, why)
            + "Whether all that was saved before is intact is not known; look at the thread when"
            + " the store works, before you resume it.",
        cause);
  }

  /// A storage that cannot be opened, so that nothing of it was read or changed.
  ///
  /// @param store which storage, as a person would name it
  /// @param why one sentence without a full stop
  public static StoreFailed unopened(String store, String why, Throwable cause) {
    return new StoreFailed(
        CODE, store, "The store " + store + " cannot be opened: " + why + ".", cause);
  }

  private static String failed(String store, String why) {
    return "The store " + store + " failed: " + why + ". ";
  }

  /// Which storage it was.
  public String store() {
    return store;
  }
}
