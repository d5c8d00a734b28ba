package dev.superstep.state;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/// The serial numbers of items by key, in a line of lists that each change the one before. Who
/// moves it on from the changes of its list adds what the next list has; everyone else begins an
/// index of their own. Safe for many threads.
final class KeyIndex {
  private static final int FEW = 16;

  private final Map<Object, Added> added = new ConcurrentHashMap<>();
  private final long begin;
  // The changes of the newest list.
  private final AtomicLong changes;
  // For who moves it on.
  private int removed;

  /// An item, and one with the same key that was there before it.
  private record Added(long serial, @Nullable Added earlier) {}

  /// @param changes of the list whose items are added first
  KeyIndex(long changes) {
    this.begin = changes;
    this.changes = new AtomicLong(changes);
  }

  /// Claims the changes that follow those of a list.
  ///
  /// @return false if another list has claimed them
  boolean moveOn(long from, long to) {
    return changes.compareAndSet(from, to);
  }

  void add(Object key, long serial) {
    added.put(key, new Added(serial, added.get(key)));
  }

  /// Notes that an item is removed, which older lists still have.
  ///
  /// @param size of the list before
  /// @return false if a new index is due, since most in this one is gone
  boolean remove(int size) {
    return ++removed <= size + FEW;
  }

  /// Returns the position of the item with a key in a list, or -1.
  ///
  /// @param list the changes of the list
  /// @param place finds a serial number in it
  int position(Object key, long list, LongToIntFunction place) {
    for (var item = added.get(key); item != null; item = item.earlier()) {
      // Later lists added it.
      if (item.serial() >= list) continue;
      int at = place.applyAsInt(item.serial());
      // Items of the first list may share a key; later, it was free whenever it was added.
      if (at >= 0 || item.serial() >= begin) return Math.max(at, -1);
    }
    return -1;
  }
}
