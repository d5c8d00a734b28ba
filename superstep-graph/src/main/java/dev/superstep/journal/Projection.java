package dev.superstep.journal;

import dev.superstep.checkpoint.Entry;
import dev.superstep.json.Codec;

/// Makes a value of a journal, entry by entry: how a thread stands, how long its nodes take. The
/// value tells nothing that the journal does not, so it can be thrown away and made anew. Free of
/// side effects.
///
/// @see Projections
public interface Projection<T> {
  /// Names it among what is cached.
  String name();

  /// Grows by one when it comes to make something else of the same journal, or writes its value in
  /// another way: what an older version made is then made anew.
  int version();

  /// The codec with which the value is cached.
  Codec<T> codec();

  /// The value of an empty journal.
  T initial();

  /// Returns the value after one more entry.
  T fold(T value, Entry entry);
}
