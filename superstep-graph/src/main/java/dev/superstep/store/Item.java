package dev.superstep.store;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.time.Instant;
import java.util.Optional;

/// An entry of a store: the value under a key. Immutable.
///
/// @param version which write made it; no two writes of a store have the same, and later ones have
///   greater ones
/// @param created when it was first put, since it was last deleted or expired
/// @param expires when it is gone; absent if it stays
public record Item(
    Namespace namespace,
    String key,
    Json value,
    long version,
    Instant created,
    Instant updated,
    Optional<Instant> expires) {
  /// Its value as a record or another closed type.
  ///
  /// @throws dev.superstep.json.MalformedJson if the value does not have the shape of the type
  public <T> T as(Class<T> type) {
    return value.as(type);
  }

  /// Its value by a codec.
  ///
  /// @throws dev.superstep.json.MalformedJson if the value does not have the shape of the type
  public <T> T as(Codec<T> codec) {
    return codec.decode(value);
  }
}
