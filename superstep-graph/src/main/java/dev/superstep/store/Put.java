package dev.superstep.store;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A value to put under a key, with its options. Immutable; each method returns a changed copy.
///
/// ```java
/// store.put(Put.of(notes, "n1", new Note("likes tea")).ttl(Duration.ofDays(30)).renewedByReads());
/// ```
public final class Put {
  /// The largest number of bytes in a key.
  public static final int KEY_BYTES_MAX = 1_000;

  /// The largest number of bytes in the JSON of a value.
  public static final int VALUE_BYTES_MAX = 1 << 20;

  private static final Duration TTL_MAX = Duration.ofDays(36_500);

  private final Namespace namespace;
  private final String key;
  private final Json value;
  private final @Nullable Duration ttl;
  private final boolean renewed;
  private final Indexing indexing;

  private Put(
      Namespace namespace, String key, Json value, @Nullable Duration ttl, Indexing indexing) {
    this(namespace, key, value, ttl, indexing, false);
  }

  // The one place that knows all parts; callers use the methods.
  private Put(
      Namespace namespace,
      String key,
      Json value,
      @Nullable Duration ttl,
      Indexing indexing,
      boolean renewed) {
    this.namespace = namespace;
    this.key = key;
    this.value = value;
    this.ttl = ttl;
    this.indexing = indexing;
    this.renewed = renewed;
  }

  /// A value of a closed type: a record, an enum or a scalar. For a case of a sealed interface, use
  /// the method with a codec of the interface.
  ///
  /// @throws InvalidItem if a store cannot keep the key or the value
  public static Put of(Namespace namespace, String key, Object value) {
    return json(namespace, key, value instanceof Json json ? json : Json.of(value));
  }

  /// A value by a codec.
  ///
  /// @throws InvalidItem if a store cannot keep the key or the value
  public static <T> Put of(Namespace namespace, String key, T value, Codec<T> codec) {
    return json(namespace, key, codec.encode(value));
  }

  private static Put json(Namespace namespace, String key, Json value) {
    Texts.check("key", key);
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (key.isEmpty() || bytes > KEY_BYTES_MAX) {
      throw new InvalidItem(
          "key",
          key,
          "has %,d bytes; it needs 1 to %,d. Use a digest of what is long."
              .formatted(bytes, KEY_BYTES_MAX));
    }
    // Parsed, because one value that is no JSON would spoil every search that meets it.
    var parsed = Json.parse(value.text());
    var text = Texts.withoutHalves(parsed.text());
    int size = text.getBytes(StandardCharsets.UTF_8).length;
    if (size > VALUE_BYTES_MAX) {
      throw new InvalidItem(
          "value",
          text,
          "of `%s` in `%s` has %,d bytes; %,d are allowed. Keep what is large elsewhere, and where."
              .formatted(key, namespace, size, VALUE_BYTES_MAX));
    }
    var kept = text.equals(parsed.text()) ? parsed : Json.unchecked(text);
    return new Put(namespace, key, kept, null, Indexing.whole());
  }

  /// Sets the time to live.
  public Put ttl(Duration life) {
    if (!life.isPositive() || life.compareTo(TTL_MAX) > 0) {
      throw new IllegalArgumentException("ttl must be positive, 100 years at most, was " + life);
    }
    return new Put(namespace, key, value, life, indexing, renewed);
  }

  /// Restarts the time to live whenever the item is read by `get` or found by `search`.
  public Put renewedByReads() {
    return new Put(namespace, key, value, ttl, indexing, true);
  }

  /// Embeds only the texts at these places, given as JSON pointers such as `/note/text`. Unless
  /// set, all strings in the value are embedded.
  public Put embedding(String... pointers) {
    return new Put(namespace, key, value, ttl, Indexing.at(List.of(pointers)), renewed);
  }

  /// Nothing of it is embedded, so no search by meaning finds it.
  public Put notEmbedded() {
    return new Put(namespace, key, value, ttl, Indexing.at(List.of()), renewed);
  }

  /// Where it goes.
  public Namespace namespace() {
    return namespace;
  }

  /// Its key in the namespace.
  public String key() {
    return key;
  }

  /// The value.
  public Json value() {
    return value;
  }

  /// The time to live; absent if the item does not expire.
  public Optional<Duration> ttl() {
    return Optional.ofNullable(ttl);
  }

  /// Returns whether a read restarts the item's time to live.
  public boolean isRenewedByReads() {
    return renewed && ttl != null;
  }

  /// The text that is embedded for the item; empty if there is none.
  String text() {
    return indexing.text(value);
  }

  @Override
  public String toString() {
    return "Put[" + namespace + "/" + key + "]";
  }
}
