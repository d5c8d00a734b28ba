package dev.superstep.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Items in order, each found by its key, with the log of changes that they are stored as. A change
/// adds one to the log, so that a superstep stores what it changed. Immutable; safe for many
/// threads.
///
/// The log knows an item by its slot, the place in the log where it was added. When most changes at
/// the end of the log are obsolete, that end is rewritten without them; so the log stays within a
/// few times of the items, and over time no more is rewritten than was dropped. Only the shortest
/// such end is rewritten, so that items that seldom change are left alone.
final class KeyedList<E> {
  // The shortest end of a log that is looked at.
  private static final int END_MIN = 16;

  private final Function<? super E, ?> key;
  private final AppendList<E> items;
  // Of each item; they ascend.
  private final AppendList<Integer> slots;
  private final AppendList<Change<E>> log;
  // How many there have been, also those that are not in the log any more.
  private final long changes;
  private final boolean isStored;
  private volatile @Nullable Index index;

  /// A change of the log.
  ///
  /// @param slot the place where the item was added; its own, if this is that place
  /// @param item what is there from now on; null if it is removed
  record Change<E>(int slot, @Nullable E item) {}

  /// A list after a change.
  ///
  /// @param kept how many leading changes of the log are those of the list before
  record Changed<E>(KeyedList<E> list, boolean isChanged, int kept) {
    <V> Folded<V> folded(V value) {
      return new Folded<>(value, isChanged, kept);
    }
  }

  /// The positions of keys in a line of lists that each extend the one before. Whoever advances
  /// `used` from the size of its list adds the next keys; everyone else begins an index of their
  /// own.
  private static final class Index {
    private final Map<Object, Integer> positions = new ConcurrentHashMap<>();
    private final AtomicInteger used;

    Index(int used) {
      this.used = new AtomicInteger(used);
    }

    boolean extend(int from, Collection<?> keys) {
      if (!used.compareAndSet(from, from + keys.size())) return false;
      int at = from;
      for (var key : keys) positions.put(key, at++);
      return true;
    }
  }

  private KeyedList(
      Function<? super E, ?> key,
      AppendList<E> items,
      AppendList<Integer> slots,
      Log<E> log,
      @Nullable Index index) {
    this.key = key;
    this.items = items;
    this.slots = slots;
    this.log = log.changes();
    this.changes = log.total();
    this.isStored = log.isStored();
    this.index = index;
  }

  private record Log<E>(AppendList<Change<E>> changes, long total, boolean isStored) {}

  /// A list whose log holds just its items.
  static <E> KeyedList<E> of(Function<? super E, ?> key, Collection<? extends E> items) {
    return whole(key, AppendList.<E>empty().plus(List.copyOf(items)), null);
  }

  private static <E> KeyedList<E> whole(
      Function<? super E, ?> key, AppendList<E> items, @Nullable Index index) {
    var changes = new ArrayList<Change<E>>(items.size());
    for (var item : items) changes.add(new Change<>(changes.size(), item));
    var log = new Log<E>(AppendList.<Change<E>>empty().plus(changes), changes.size(), true);
    return new KeyedList<>(key, items, numbers(AppendList.empty(), 0, items.size()), log, index);
  }

  /// The list that a log leaves.
  ///
  /// @throws IllegalArgumentException if a change is of an item that is not there
  static <E> KeyedList<E> replayed(Function<? super E, ?> key, List<Change<E>> log) {
    var bySlot = replayed(log);
    var items = new ArrayList<E>();
    var slots = new ArrayList<Integer>();
    for (int slot = 0; slot < bySlot.size(); slot++) {
      var item = bySlot.get(slot);
      if (item == null) continue;
      items.add(item);
      slots.add(slot);
    }
    var changes = AppendList.<Change<E>>empty().plus(log);
    return new KeyedList<>(
        key,
        AppendList.<E>empty().plus(items),
        AppendList.<Integer>empty().plus(slots),
        new Log<>(changes, log.size(), true),
        null);
  }

  /// Replays a log, and returns the item that is left in each slot.
  static <E> List<@Nullable E> replayed(List<Change<E>> log) {
    var bySlot = new ArrayList<@Nullable E>(log.size());
    for (int place = 0; place < log.size(); place++) {
      int slot = log.get(place).slot();
      bySlot.add(null);
      boolean isKnown = slot == place || (slot >= 0 && slot < place && bySlot.get(slot) != null);
      if (!isKnown) {
        throw new IllegalArgumentException(
            "change %d of its log is of item %d, which is not there".formatted(place, slot));
      }
      bySlot.set(slot, log.get(place).item());
    }
    return bySlot;
  }

  /// This list, of which the store holds no log yet: whatever changes, all of it is stored.
  KeyedList<E> unstored() {
    return new KeyedList<>(key, items, slots, new Log<>(log, changes, false), index);
  }

  AppendList<E> items() {
    return items;
  }

  List<Change<E>> log() {
    return log;
  }

  /// The item with a key, or null.
  @Nullable E find(Object wanted) {
    int at = position(wanted);
    return at < 0 ? null : items.get(at);
  }

  private int position(Object wanted) {
    // Longer lists of the same line share the index; what they added is not ours.
    int at = index().positions.getOrDefault(wanted, -1);
    return at < items.size() ? at : -1;
  }

  private Index index() {
    var known = index;
    if (known == null) {
      known = new Index(0);
      known.extend(0, keys(items));
      index = known;
    }
    return known;
  }

  private List<?> keys(List<E> some) {
    return some.stream().map(key).toList();
  }

  /// Replaces items with a known key in place, and adds the others at the end. Of two with one key,
  /// the later counts.
  Changed<E> put(Collection<? extends E> some) {
    var added = new LinkedHashMap<Object, E>();
    var replaced = new TreeMap<Integer, E>();
    for (var item : some) {
      var its = key.apply(item);
      int at = position(its);
      if (at < 0) added.put(its, item);
      else replaced.put(at, item);
    }
    replaced.entrySet().removeIf(e -> items.get(e.getKey()).equals(e.getValue()));
    if (added.isEmpty() && replaced.isEmpty()) return new Changed<>(this, false, log.size());
    var made = new ArrayList<Change<E>>(added.size() + replaced.size());
    replaced.forEach((at, item) -> made.add(new Change<>(slots.get(at), item)));
    int first = log.size() + made.size();
    for (var item : added.values()) made.add(new Change<>(log.size() + made.size(), item));
    return changed(
        items.replaced(replaced).plus(List.copyOf(added.values())),
        numbers(slots, first, added.size()),
        made,
        added.isEmpty() || index().extend(items.size(), added.keySet()) ? index : null);
  }

  Changed<E> without(Object wanted) {
    int at = position(wanted);
    if (at < 0) return new Changed<>(this, false, log.size());
    return changed(
        items.first(at).plus(items.subList(at + 1, items.size())),
        slots.first(at).plus(slots.subList(at + 1, slots.size())),
        List.of(new Change<>(slots.get(at), null)),
        null);
  }

  private Changed<E> changed(
      AppendList<E> nextItems,
      AppendList<Integer> nextSlots,
      List<Change<E>> made,
      @Nullable Index nextIndex) {
    if (!isStored) return new Changed<>(whole(key, nextItems, nextIndex), true, 0);
    var longer = new Log<>(log.plus(made), changes + made.size(), true);
    var next = new KeyedList<>(key, nextItems, nextSlots, longer, nextIndex);
    int from = next.endToRewrite(changes);
    if (from < 0) return new Changed<>(next, true, log.size());
    return new Changed<>(next.rewritten(from), true, Math.min(from, log.size()));
  }

  /// Where the shortest end of the log begins that mostly does not count any more, or -1. An end is
  /// looked at each time when half as many changes were made as it holds.
  private int endToRewrite(long before) {
    for (long size = END_MIN; ; size *= 2) {
      int from = (int) Math.max(0, log.size() - size);
      boolean isDue = before / (size / 2) != changes / (size / 2);
      if (isDue && live(from) * 2L < log.size() - from) return from;
      if (from == 0) return -1;
    }
  }

  /// Returns how many changes would express all that the end of the log does.
  private int live(int from) {
    return items.size() - firstAdded(from) + earlier(from).size();
  }

  /// The first item that was added in the end of the log.
  private int firstAdded(int from) {
    int at = Collections.binarySearch(slots, from);
    return at < 0 ? -at - 1 : at;
  }

  /// The slots before the end of the log that it changes.
  private Collection<Integer> earlier(int from) {
    var earlier = new HashSet<Integer>();
    if (from == 0) return earlier;
    for (var change : log.subList(from, log.size())) {
      if (change.slot() < from) earlier.add(change.slot());
    }
    return earlier;
  }

  private KeyedList<E> rewritten(int from) {
    if (from == 0) return whole(key, items, index);
    int first = firstAdded(from);
    var end = new ArrayList<Change<E>>();
    for (var item : items.subList(first, items.size())) {
      end.add(new Change<>(from + end.size(), item));
    }
    for (int slot : earlier(from)) {
      int at = Collections.binarySearch(slots, slot);
      end.add(new Change<>(slot, at < 0 ? null : items.get(at)));
    }
    return new KeyedList<>(
        key,
        items,
        numbers(slots.first(first), from, items.size() - first),
        new Log<>(log.first(from).plus(end), changes, true),
        index);
  }

  private static AppendList<Integer> numbers(AppendList<Integer> before, int first, int many) {
    var more = new ArrayList<Integer>(many);
    for (int i = 0; i < many; i++) more.add(first + i);
    return before.plus(more);
  }
}
