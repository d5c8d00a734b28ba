package dev.superstep.state;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Folds the writes of one superstep into a value. Free of side effects and safe for many threads.
public interface Reducer<V, W> {
  /// The value before any write, or null if there is none.
  @Nullable V initial();

  /// Returns whether several writes may meet in one superstep.
  default boolean isAggregate() {
    return true;
  }

  /// Returns whether the value outlives a superstep in which nobody writes it. One that does not is
  /// then reset to [#initial()].
  default boolean isLasting() {
    return true;
  }

  /// Returns whether the node that the value triggers consumes it, which resets it to [#initial()].
  default boolean isConsumed() {
    return false;
  }

  /// Returns whether the stored value holds more than nodes read, so that [#read] must be asked.
  default boolean isReadDerived() {
    return false;
  }

  /// Returns the part of the stored value that nodes read; null if there is nothing to read yet.
  default @Nullable V read(V kept) {
    return kept;
  }

  /// Returns the names that a value still waits for before it can be read.
  default List<String> missing(V kept) {
    return List.of();
  }

  /// Folds the writes, in order.
  Folded<V> fold(@Nullable V current, List<W> writes);

  /// Returns whether single entries can be taken out by [#remove].
  default boolean hasKeys() {
    return false;
  }

  /// Takes the entry with this key out of the value.
  ///
  /// @throws UnsupportedOperationException if the value has no keys
  default Folded<V> remove(@Nullable V current, String key) {
    throw new UnsupportedOperationException("this channel has no keys to remove");
  }

  /// Returns whether two stored values look the same to every reader.
  default boolean isSame(V one, V other) {
    return one.equals(other);
  }

  /// Takes over a value that was given whole; collections are copied.
  default V adopt(V value) {
    return value;
  }

  /// Completes a write before it is saved, such as with a fresh id.
  default W complete(W write, Supplier<String> ids) {
    return write;
  }
}
