package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import dev.superstep.json.Codec;

/// Computes a value from a journal, entry by entry: the status of a thread, the durations of its
/// nodes. The value contains nothing that the journal does not, so it can be thrown away and
/// computed again. Free of side effects.
///
/// @see Projections
public interface Projection<T> {
  /// Names it among what is cached.
  String name();

  /// The version; increase it by one when the projection computes something else from the same
  /// journal, or encodes its value in another way: a result of an older version is then computed
  /// again.
  int version();

  /// The codec with which the value is cached.
  Codec<T> codec();

  /// The value of an empty journal.
  T initial();

  /// Returns the value after one more entry.
  T fold(T value, Entry entry);
}
