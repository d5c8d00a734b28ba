package dev.superstep.state;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An immutable list that shares its storage with the lists it grew from: adding k items costs
/// O(k), amortised, as long as each list is extended once. A second extension of the same list
/// copies. Safe for many threads.
final class AppendList<T> extends AbstractList<T> implements RandomAccess {
  private static final int FIRST_CAPACITY = 8;

  // Elements below `size` are written before this list is published and never again after.
  private final Object[] elements;
  private final Growth growth;
  private final int size;

  private AppendList(Object[] elements, Growth growth, int size) {
    this.elements = elements;
    this.growth = growth;
    this.size = size;
  }

  /// A line of lists that each extend the one before. Whoever advances `used` from a list's size
  /// owns the next elements; everyone else starts a line of their own.
  private static final class Growth {
    private final AtomicInteger used;
    private volatile @Nullable Map<String, Integer> positions;

    Growth(int used) {
      this.used = new AtomicInteger(used);
    }
  }

  static <T> AppendList<T> empty() {
    return new AppendList<>(new Object[0], new Growth(0), 0);
  }

  static <T> AppendList<T> of(@Nullable List<T> items) {
    if (items instanceof AppendList<T> same) return same;
    return items == null ? empty() : AppendList.<T>empty().plus(items);
  }

  AppendList<T> plus(List<? extends T> items) {
    int added = items.size();
    if (added == 0) return this;
    int total = Math.addExact(size, added);
    boolean extendsLine = growth.used.compareAndSet(size, total);
    var target = elements;
    if (!extendsLine || total > elements.length) {
      target = new Object[Math.max(FIRST_CAPACITY, total + (total >> 1))];
      System.arraycopy(elements, 0, target, 0, size);
    }
    for (int i = 0; i < added; i++) target[size + i] = Objects.requireNonNull(items.get(i));
    return new AppendList<>(target, extendsLine ? growth : new Growth(total), total);
  }

  /// Returns whether this list begins with all items of another one, and that can be told without a
  /// look at them: both grew in one line.
  boolean extendsLine(AppendList<?> other) {
    return growth.equals(other.growth) && size >= other.size;
  }

  /// The first `length` items, sharing storage; the next extension copies.
  AppendList<T> first(int length) {
    return length == size ? this : new AppendList<>(elements, new Growth(-1), length);
  }

  /// This list with other items in some places. Copies.
  AppendList<T> replaced(Map<Integer, ? extends T> others) {
    if (others.isEmpty()) return this;
    var target = elements.clone();
    others.forEach((at, item) -> target[Objects.checkIndex(at, size)] = item);
    return new AppendList<>(target, new Growth(size), size);
  }

  /// This list at the tip of a line whose items can be found by id in O(1).
  AppendList<T> indexed(Function<T, String> id) {
    if (growth.positions != null) return this;
    var positions = new ConcurrentHashMap<String, Integer>();
    for (int i = 0; i < size; i++) positions.put(id.apply(get(i)), i);
    var line = new Growth(size);
    line.positions = positions;
    return new AppendList<>(elements.clone(), line, size);
  }

  /// Returns the position of the item with this id, or -1. For indexed lists.
  int position(String wanted, Function<T, String> id) {
    int at = Objects.requireNonNull(growth.positions).getOrDefault(wanted, -1);
    // Longer lists of the same line share the index; what they added is not ours.
    return at >= 0 && at < size && id.apply(get(at)).equals(wanted) ? at : -1;
  }

  /// Adds items with new ids to an indexed list.
  AppendList<T> plusIndexed(List<T> items, Function<T, String> id) {
    if (items.isEmpty()) return this;
    var longer = plus(items);
    if (longer.growth != growth) return longer.indexed(id);
    var positions = Objects.requireNonNull(growth.positions);
    for (int i = size; i < longer.size; i++) positions.put(id.apply(longer.get(i)), i);
    return longer;
  }

  @Override
  @SuppressWarnings("unchecked")
  public T get(int index) {
    Objects.checkIndex(index, size);
    return (T) elements[index];
  }

  @Override
  public int size() {
    return size;
  }
}
