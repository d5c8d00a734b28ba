package dev.superstep.state;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

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
