package dev.superstep.checkpoint;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// Something in the store of an [EncryptedCheckpointer], or of another one that encrypts, cannot be
/// read with its keys. Nothing was changed, and nothing of the stored content is shown.
public final class CannotDecrypt extends SuperstepException {
  private final Reason reason;
  private final String place;
  private final String key;

  /// Why it cannot be read.
  public enum Reason {
    /// It is not encrypted, or not by this.
    NOT_SEALED,
    /// The ring has no key of that id.
    UNKNOWN_KEY,
    /// It was written before values were bound to their thread, and the thread was begun since, or
    /// the store was opened by [EncryptedCheckpointer#boundOnly].
    UNBOUND,
    /// It was changed or moved, or the key of that id is another one.
    REFUSED
  }

  CannotDecrypt(Reason reason, String place, String key, @Nullable Throwable cause) {
    super(
        "store.cannot-decrypt",
        "What the store keeps as " + place + " cannot be decrypted: " + why(reason, key),
        cause);
    this.reason = reason;
    this.place = place;
    this.key = key;
  }

  private static String why(Reason reason, String key) {
    return switch (reason) {
      case NOT_SEALED ->
          "it is not encrypted. Open a store that was written without encryption by itself, and"
              + " encrypt a new one.";
      case UNKNOWN_KEY ->
          "it needs the key `" + key + "`. Add that to the ring by `KeyRing.reading`.";
      case UNBOUND ->
          "it was written by a version that did not bind values to their thread, and this thread"
              + " was begun later, or such values are refused. If the thread is an old one, open"
              + " the store without `boundOnly()`; else restore the store from a backup.";
      case REFUSED ->
          ("it was changed or moved since it was written, or `%s` is another key than then."
                  + " Check the key; if it is right, restore the store from a backup.")
              .formatted(key);
    };
  }

  /// Why it cannot be read.
  public Reason reason() {
    return reason;
  }

  /// The thing that cannot be read, by names and ids.
  public String place() {
    return place;
  }

  /// The id of the key that it needs; empty if it is not sealed.
  public String key() {
    return key;
  }
}
