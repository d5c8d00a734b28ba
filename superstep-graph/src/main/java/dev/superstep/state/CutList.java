package dev.superstep.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Folds into a list, then cuts it in several ways, in order. Items that fall out are lost; the
/// next fold sees the remaining ones.
///
/// Costs O(items that stay): unless each key may occur once and nothing else is said, those are
/// bounded by the cuts. A single cut of the oldest is cheaper: see [Bounded].
record CutList<T>(Reducer<List<T>, T> list, List<ListCut<T>> cuts) implements ListReducer<T> {
  /// The reducer that cuts in one more way than this one does, or null if its value is no list of
  /// this kind.
  static <T> @Nullable Reducer<List<T>, T> cut(Reducer<List<T>, T> reducer, ListCut<T> cut) {
    if (reducer instanceof Append<T> && cut instanceof ListCut.Once<T>(var key)) {
      return new Distinct<>(key);
    }
    if (reducer instanceof CutList<T>(var list, var cuts)) {
      var more = new ArrayList<>(cuts);
      more.add(cut);
      return new CutList<>(list, List.copyOf(more));
    }
    if (reducer instanceof Bounded<T>(var list, var newest)) {
      return new CutList<>(list, List.of(newest, cut));
    }
    if (reducer instanceof ByIdLog<T>(var list)) return cut(list, cut);
    if (!isWhole(reducer)) return null;
    if (cut instanceof ListCut.Newest<T> newest) return new Bounded<>(reducer, newest);
    return new CutList<>(reducer, List.of(cut));
  }

  private static boolean isWhole(Reducer<?, ?> reducer) {
    return reducer instanceof Append<?>
        || reducer instanceof ById<?>
        || reducer instanceof Distinct<?>;
  }

  /// Returns the name of the form in which lists of this reducer are stored, as a part of the
  /// channel's kind.
  static String kind(Reducer<?, ?> reducer) {
    if (reducer instanceof Bounded<?>(var list, _)) return kind(list) + "-bounded";
    if (reducer instanceof CutList<?>(var list, _)) return kind(list) + "-sifted";
    if (reducer instanceof Distinct<?>) return "append-distinct";
    return reducer instanceof ById<?> ? "by-id" : "append";
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
    return AppendList.<T>empty().plus(cut(list.adopt(value)));
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = AppendList.of(current);
    return sifted(before, list.fold(before, writes));
  }

  @Override
  public Folded<List<T>> remove(@Nullable List<T> current, String key) {
    var before = AppendList.of(current);
    return sifted(before, list.remove(before, key));
  }

  private Folded<List<T>> sifted(AppendList<T> before, Folded<List<T>> folded) {
    var all = AppendList.of(folded.value());
    if (!folded.changed()) return new Folded<>(before, false, Integer.MAX_VALUE);
    var seen = cut(all);
    if (seen.size() == all.size()) return folded;
    // A new item may have fallen out at once, or have replaced an equal one.
    if (seen.equals(before)) return new Folded<>(before, false, Integer.MAX_VALUE);
    return new Folded<>(AppendList.<T>empty().plus(seen), true, sameStart(before, seen));
  }

  private List<T> cut(List<T> all) {
    var seen = all;
    for (var cut : cuts) seen = cut.of(seen);
    return seen;
  }

  @SuppressWarnings("ReferenceEquality") // on purpose: what is stored stays only for the very item
  private int sameStart(List<T> before, List<T> seen) {
    int most = Math.min(before.size(), seen.size());
    int same = 0;
    while (same < most && before.get(same) == seen.get(same)) same++;
    return same;
  }
}
