package dev.superstep.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
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
  private final ChunkedList<Entry<E>> entries;
  private final ChunkedList<Change<E>> log;
  // How many there have been, also those that are not in the log any more.
  private final long changes;
  private final boolean isStored;
  private volatile @Nullable KeyIndex index;

  /// An item. Serial numbers and slots ascend in a list.
  ///
  /// @param serial how many changes there were before the one that added it
  private record Entry<E>(long serial, int slot, E item) {}

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

  private KeyedList(
      Function<? super E, ?> key,
      ChunkedList<Entry<E>> entries,
      Log<E> log,
      @Nullable KeyIndex index) {
    this.key = key;
    this.entries = entries;
    this.log = log.changes();
    this.changes = log.total();
    this.isStored = log.isStored();
    this.index = index;
  }

  private record Log<E>(ChunkedList<Change<E>> changes, long total, boolean isStored) {}

  /// A list whose log holds just its items.
  static <E> KeyedList<E> of(Function<? super E, ?> key, Collection<? extends E> items) {
    var entries = new ArrayList<Entry<E>>(items.size());
    for (var item : items) entries.add(new Entry<>(entries.size(), entries.size(), item));
    return whole(key, entries, entries.size(), null);
  }

  private static <E> KeyedList<E> whole(
      Function<? super E, ?> key, List<Entry<E>> old, long total, @Nullable KeyIndex index) {
    var entries = new ArrayList<Entry<E>>(old.size());
    var changes = new ArrayList<Change<E>>(old.size());
    for (var entry : old) {
      int slot = changes.size();
      entries.add(new Entry<>(entry.serial(), slot, entry.item()));
      changes.add(new Change<>(slot, entry.item()));
    }
    var log = new Log<E>(ChunkedList.of(changes), total, true);
    return new KeyedList<>(key, ChunkedList.of(entries), log, index);
  }

  /// The list that a log leaves.
  ///
  /// @throws IllegalArgumentException if a change is of an item that is not there
  static <E> KeyedList<E> replayed(Function<? super E, ?> key, List<Change<E>> log) {
    var bySlot = replayed(log);
    var entries = new ArrayList<Entry<E>>();
    for (int slot = 0; slot < bySlot.size(); slot++) {
      var item = bySlot.get(slot);
      if (item != null) entries.add(new Entry<>(slot, slot, item));
    }
    var stored = new Log<E>(ChunkedList.of(log), log.size(), true);
    return new KeyedList<>(key, ChunkedList.of(entries), stored, null);
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
    return new KeyedList<>(key, entries, new Log<>(log, changes, false), index);
  }

  int size() {
    return entries.size();
  }

  E get(int at) {
    return entries.get(at).item();
  }

  /// Returns whether this list is known to begin with all items of another one, unchanged, since it
  /// grew from it.
  boolean extendsLine(KeyedList<?> other) {
    return entries.extendsLine(other.entries);
  }

  List<Change<E>> log() {
    return log;
  }

  /// The item with a key, or null.
  @Nullable E find(Object wanted) {
    int at = position(wanted);
    return at < 0 ? null : get(at);
  }

  private int position(Object wanted) {
    return index().position(wanted, changes, serial -> place(Entry::serial, serial));
  }

  private KeyIndex index() {
    var known = index;
    if (known == null) {
      known = new KeyIndex(changes);
      for (var entry : entries) known.add(key.apply(entry.item()), entry.serial());
      index = known;
    }
    return known;
  }

  /// The place of the entry with a number; if there is none, less than 0, as
  /// [java.util.Collections#binarySearch] returns it.
  private int place(ToLongFunction<Entry<E>> number, long wanted) {
    int low = 0;
    int high = entries.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long there = number.applyAsLong(entries.get(middle));
      if (there == wanted) return middle;
      if (there < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return -low - 1;
  }

  /// Replaces items with a known key in place, and adds the others at the end. Of two with one key,
  /// the later counts.
  Changed<E> put(Collection<? extends E> some) {
    if (some.size() == 1) {
      var item = some.iterator().next();
      var its = key.apply(item);
      if (position(its) < 0) return added(its, item);
    }
    var added = new LinkedHashMap<Object, E>();
    var replaced = new TreeMap<Integer, Entry<E>>();
    for (var item : some) {
      var its = key.apply(item);
      int at = position(its);
      if (at < 0) added.put(its, item);
      else replaced.put(at, with(entries.get(at), item));
    }
    replaced.entrySet().removeIf(e -> get(e.getKey()).equals(e.getValue().item()));
    if (added.isEmpty() && replaced.isEmpty()) return new Changed<>(this, false, log.size());
    var made = new ArrayList<Change<E>>(added.size() + replaced.size());
    for (var entry : replaced.values()) made.add(new Change<>(entry.slot(), entry.item()));
    long first = changes + made.size();
    var more = new ArrayList<Entry<E>>(added.size());
    for (var item : added.values()) {
      int slot = log.size() + made.size();
      more.add(new Entry<>(changes + made.size(), slot, item));
      made.add(new Change<>(slot, item));
    }
    var known = index();
    boolean isTip = known.moveOn(changes, changes + made.size());
    if (isTip) for (var its : added.keySet()) known.add(its, first++);
    return changed(entries.replaced(replaced).plus(more), made, isTip ? known : null);
  }

  private Changed<E> added(Object its, E item) {
    int slot = log.size();
    var known = index();
    boolean isTip = known.moveOn(changes, changes + 1);
    if (isTip) known.add(its, changes);
    var made = List.of(new Change<E>(slot, item));
    var more = List.of(new Entry<E>(changes, slot, item));
    return changed(entries.plus(more), made, isTip ? known : null);
  }

  private static <E> Entry<E> with(Entry<E> entry, E item) {
    return new Entry<>(entry.serial(), entry.slot(), item);
  }

  Changed<E> without(Object wanted) {
    int at = position(wanted);
    if (at < 0) return new Changed<>(this, false, log.size());
    var known = index();
    boolean isTip = known.moveOn(changes, changes + 1) && known.remove(size());
    var made = List.of(new Change<E>(entries.get(at).slot(), null));
    return changed(entries.without(at), made, isTip ? known : null);
  }

  private Changed<E> changed(
      ChunkedList<Entry<E>> next, List<Change<E>> made, @Nullable KeyIndex nextIndex) {
    long total = changes + made.size();
    if (!isStored) return new Changed<>(whole(key, next, total, nextIndex), true, 0);
    var longer = new KeyedList<>(key, next, new Log<>(log.plus(made), total, true), nextIndex);
    int from = longer.endToRewrite(changes);
    if (from < 0) return new Changed<>(longer, true, log.size());
    return new Changed<>(longer.rewritten(from), true, Math.min(from, log.size()));
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
    return size() - firstAdded(from) + earlier(from).size();
  }

  /// The first item that was added in the end of the log.
  private int firstAdded(int from) {
    int at = place(Entry::slot, from);
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
    if (from == 0) return whole(key, entries, changes, index);
    int first = firstAdded(from);
    var end = new ArrayList<Change<E>>();
    var moved = new ArrayList<Entry<E>>();
    for (var entry : entries.subList(first, size())) {
      int slot = from + end.size();
      moved.add(new Entry<>(entry.serial(), slot, entry.item()));
      end.add(new Change<>(slot, entry.item()));
    }
    for (int slot : earlier(from)) {
      int at = place(Entry::slot, slot);
      end.add(new Change<>(slot, at < 0 ? null : get(at)));
    }
    var shorter = new Log<E>(log.first(from).plus(end), changes, true);
    return new KeyedList<>(key, entries.first(first).plus(moved), shorter, index);
  }
}
