package dev.superstep.checkpoint;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/// The keys of an [EncryptedCheckpointer], and of other stores that encrypt: one to write with, and
/// any number to read with. Each has an id, which is stored with the values that it sealed, so that
/// keys can be changed while threads are in use:
///
/// ```java
/// var ring = KeyRing.of("2027", newKey).reading("2026", oldKey);
/// ```
///
/// Shows the ids of its keys and never the keys. Immutable.
public final class KeyRing {
  /// The number of bytes in a key.
  public static final int KEY_BYTES = 32;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private final String current;
  private final Map<String, SecretKey> keys;

  private KeyRing(String current, Map<String, SecretKey> keys) {
    this.current = current;
    this.keys = Collections.unmodifiableMap(keys);
  }

  /// A ring of a single key, to write and to read with.
  ///
  /// @param id 1 to 64 letters, digits, dots, underscores and dashes
  /// @param key 32 random bytes; copied
  public static KeyRing of(String id, byte[] key) {
    return new KeyRing(id, with(Map.of(), id, key));
  }

  /// Returns a copy with one more key to read with.
  public KeyRing reading(String id, byte[] key) {
    return new KeyRing(current, with(keys, id, key));
  }

  /// Returns a copy that writes with another key from now on. The keys before it still read.
  public KeyRing rotated(String id, byte[] key) {
    return new KeyRing(id, with(keys, id, key));
  }

  private static Map<String, SecretKey> with(Map<String, SecretKey> before, String id, byte[] key) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "id must be 1 to 64 letters, digits, `.`, `_` and `-`, was `" + id + "`");
    }
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "key must have " + KEY_BYTES + " bytes, had " + key.length);
    }
    if (before.containsKey(id)) {
      throw new IllegalArgumentException("id must be new, but there is a key `" + id + "`");
    }
    var keys = new LinkedHashMap<>(before);
    keys.put(id, new SecretKeySpec(key, "AES"));
    return keys;
  }

  /// The id of the key to write with.
  public String current() {
    return current;
  }

  /// The ids of all keys to read with.
  public Set<String> ids() {
    return keys.keySet();
  }

  /// Seals a text for another store than that of threads: only who has the key can read it, and
  /// only at the place that it was sealed for.
  ///
  /// @param kind of what is sealed, in a word or two
  /// @param names what distinguishes the place from others of its kind
  public String seal(String text, String kind, String... names) {
    return new Seals(this).seal(text, SealedPlace.of(kind, names));
  }

  /// Returns a text that was sealed for a place.
  ///
  /// @throws CannotDecrypt if it was not, or was changed, or the ring does not have its key
  public String open(String seal, String kind, String... names) {
    return new Seals(this).open(seal, SealedPlace.of(kind, names));
  }

  Optional<SecretKey> key(String id) {
    return Optional.ofNullable(keys.get(id));
  }

  @Override
  public String toString() {
    return "keys " + keys.keySet() + ", writing with " + current;
  }
}
