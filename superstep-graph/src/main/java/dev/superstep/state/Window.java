package dev.superstep.state;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Function;

/// The end of a list that is stored in full. Immutable.
final class Window<T> extends AbstractList<T> implements RandomAccess {
  private final AppendList<T> all;
  private final int start;
  private final long weight;

  /// @param start the first item that is seen
  /// @param weight of all items that are seen
  Window(AppendList<T> all, int start, long weight) {
    this.all = all;
    this.start = start;
    this.weight = weight;
  }

  AppendList<T> all() {
    return all;
  }

  int start() {
    return start;
  }

  long weight() {
    return weight;
  }

  /// Returns whether a write has the key of a hidden item.
  boolean hides(List<T> writes, Function<T, String> key) {
    if (start == 0) return false;
    var indexed = all.indexed(key);
    for (var write : writes) {
      int at = indexed.position(key.apply(write), key);
      if (at >= 0 && at < start) return true;
    }
    return false;
  }

  /// Without what is hidden.
  Window<T> compact() {
    List<T> seen = this;
    return new Window<>(AppendList.<T>empty().plus(seen), 0, weight);
  }

  @Override
  public T get(int index) {
    Objects.checkIndex(index, size());
    return all.get(start + index);
  }

  @Override
  public int size() {
    return all.size() - start;
  }
}
