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

  /// How the value is cached.
  Codec<T> codec();

  /// What an empty journal makes.
  T initial();

  /// What one more entry makes of it.
  T fold(T value, Entry entry);
}
