package dev.superstep.state;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Folds the writes of one superstep into a value. Free of side effects and safe for many threads.
public interface Reducer<V, W> {
  /// The value before any write, or null if there is none.
  @Nullable V initial();

  /// Whether several writes may meet in one superstep, as most allow.
  default boolean isAggregate() {
    return true;
  }

  /// Whether the value outlives a superstep in which nobody writes it. One that does not is put
  /// back to [#initial()] then.
  default boolean isLasting() {
    return true;
  }

  /// Whether the value is taken by the node that it triggers, and is [#initial()] again then.
  default boolean isTaken() {
    return false;
  }

  /// Whether more is kept than is read, so that [#read] must be asked.
  default boolean keepsMore() {
    return false;
  }

  /// What of the kept value is read; null if there is nothing to read yet.
  default @Nullable V read(V kept) {
    return kept;
  }

  /// What a value that cannot be read yet still waits for.
  default List<String> missing(V kept) {
    return List.of();
  }

  /// Folds the writes, in order.
  Folded<V> fold(@Nullable V current, List<W> writes);

  /// Whether single entries can be taken out by [#remove].
  default boolean hasKeys() {
    return false;
  }

  /// Takes the entry with this key out of the value.
  ///
  /// @throws UnsupportedOperationException if the value has no keys
  default Folded<V> remove(@Nullable V current, String key) {
    throw new UnsupportedOperationException("this channel has no keys to remove");
  }

  /// Whether two kept values are the same to whoever reads them.
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
