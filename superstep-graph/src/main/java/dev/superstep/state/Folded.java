package dev.superstep.state;

import org.jspecify.annotations.Nullable;

/// A value after a fold.
///
/// @param changed whether it differs from the value before; costs at most O(writes) to know
/// @param kept for values with items: how many leading items are the very ones of the value before
public record Folded<V>(@Nullable V value, boolean changed, int kept) {
  /// For values that are stored whole.
  static <V> Folded<V> whole(V value, boolean changed) {
    return new Folded<>(value, changed, 0);
  }
}
