package dev.superstep.state;

import dev.superstep.json.Codec;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lets a list show only as many of its newest items as fit a budget.
///
/// Items that fall out are hidden first, and dropped once they are more than those that are seen:
/// dropping rewrites the list, so that each item is written at most twice, and an append stays
/// cheap. A hidden item never comes back: where a change would show one again, or touches one, the
/// hidden ones are dropped before. So what is seen depends on the writes alone, not on when the
/// list was last stored and read.
record Bounded<T>(Reducer<List<T>, T> list, ListCut.Newest<T> newest)
    implements Reducer<List<T>, T> {

  Items<List<T>> items(Codec<T> item) {
    // Must not drop anything: the store counts what it keeps from the list that it holds.
    return new Items<>(item, stored -> windowed(AppendList.of(stored)));
  }

  @Override
  public List<T> initial() {
    return new Window<>(AppendList.empty(), 0, 0);
  }

  @Override
  public boolean hasKeys() {
    return list.hasKeys();
  }

  @Override
  public T complete(T write, Supplier<String> ids) {
    return list.complete(write, ids);
  }

  @Override
  public List<T> adopt(List<T> value) {
    return windowed(AppendList.<T>empty().plus(value)).compact();
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = window(current);
    var key = key();
    if (key != null && before.hides(writes, key)) {
      return compacted(before, all -> list.fold(all, writes));
    }
    var folded = list.fold(before.all(), writes);
    if (!folded.changed()) return new Folded<>(before, false, folded.kept());
    var next = AppendList.of(folded.value());
    boolean appended = folded.kept() == before.all().size();
    var seen = appended ? advanced(before, next) : windowed(next);
    if (seen.start() < before.start()) {
      return compacted(before, all -> list.fold(all, writes));
    }
    return trimmed(before, seen, folded.kept());
  }

  /// Returns the key that tells items apart, or null if they have none.
  private @Nullable Function<T, String> key() {
    if (list instanceof ById<T>(var id, _)) return id;
    return list instanceof Distinct<T>(var key) ? key : null;
  }

  @Override
  public Folded<List<T>> remove(@Nullable List<T> current, String key) {
    var before = window(current);
    if (before.start() > 0) return compacted(before, all -> list.remove(all, key));
    var folded = list.remove(before.all(), key);
    if (!folded.changed()) return new Folded<>(before, false, folded.kept());
    return trimmed(before, windowed(AppendList.of(folded.value())), folded.kept());
  }

  /// A change of the list without what is hidden.
  private interface Change<T> {
    Folded<List<T>> of(AppendList<T> list);
  }

  private Folded<List<T>> compacted(Window<T> before, Change<T> change) {
    var folded = change.of(before.compact().all());
    if (!folded.changed()) return new Folded<>(before, false, Integer.MAX_VALUE);
    return trimmed(before, windowed(AppendList.of(folded.value())), 0);
  }

  private Folded<List<T>> trimmed(Window<T> before, Window<T> seen, int kept) {
    // The new items may equal those that fell out. The comparison ends at the first difference, so
    // it rarely costs much.
    if (seen.size() == before.size() && seen.equals(before)) {
      return new Folded<>(before, false, Integer.MAX_VALUE);
    }
    if (seen.start() <= seen.size()) return new Folded<>(seen, true, kept);
    return new Folded<>(seen.compact(), true, 0);
  }

  private Window<T> window(@Nullable List<T> current) {
    return current instanceof Window<T> same ? same : windowed(AppendList.of(current));
  }

  /// The window of a list that grew from that of another: costs O(what was added and fell out).
  private Window<T> advanced(Window<T> before, AppendList<T> all) {
    long weight = before.weight();
    for (int i = before.all().size(); i < all.size(); i++) {
      weight = Math.addExact(weight, weight(all.get(i)));
    }
    int start = before.start();
    while (weight > newest.budget() && start < all.size() - 1) weight -= weight(all.get(start++));
    return new Window<>(all, start, weight);
  }

  private Window<T> windowed(AppendList<T> all) {
    long weight = 0;
    int start = all.size();
    while (start > 0) {
      long next = weight(all.get(start - 1));
      if (start < all.size() && next > newest.budget() - weight) break;
      weight = Math.addExact(weight, next);
      start--;
    }
    return new Window<>(all, start, weight);
  }

  private long weight(T item) {
    return newest.weight(item);
  }
}
