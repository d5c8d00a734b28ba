package dev.superstep.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Selects the items of a list that stay. They stay in their order, and cutting again drops nothing
/// more, so that cuts can follow each other.
sealed interface ListCut<T> {
  /// The items that stay; the very list if all do.
  List<T> of(List<T> items);

  /// As many of the newest as weigh at most the budget together, but at least one.
  record Newest<T>(long budget, ToLongFunction<T> weigher) implements ListCut<T> {
    @Override
    public List<T> of(List<T> items) {
      int start = start(items);
      return start == 0 ? items : items.subList(start, items.size());
    }

    private int start(List<T> items) {
      long left = budget;
      int start = items.size();
      while (start > 0) {
        long next = weight(items.get(start - 1));
        if (start < items.size() && next > left) break;
        left -= next;
        start--;
      }
      return start;
    }

    long weight(T item) {
      long weight = weigher.applyAsLong(item);
      if (weight >= 0) return weight;
      throw new IllegalArgumentException("an item's weight must not be negative, was " + weight);
    }
  }

  /// The greatest; of those that are equal in rank, the oldest.
  record Top<T>(int most, Comparator<? super T> order) implements ListCut<T> {
    @Override
    public List<T> of(List<T> items) {
      if (items.size() <= most) return items;
      var places = new Integer[items.size()];
      Arrays.setAll(places, place -> place);
      // The sort is stable, so that the older comes first.
      Arrays.sort(places, (a, b) -> order.compare(items.get(b), items.get(a)));
      Arrays.sort(places, 0, most);
      var top = new ArrayList<T>(most);
      for (int i = 0; i < most; i++) top.add(items.get(places[i]));
      return top;
    }
  }

  /// The oldest of those that have the same key.
  record Once<T>(Function<T, String> key) implements ListCut<T> {
    @Override
    public List<T> of(List<T> items) {
      var keys = new HashSet<String>();
      var first = new ArrayList<T>(items.size());
      for (var item : items) if (keys.add(key.apply(item))) first.add(item);
      return first.size() == items.size() ? items : first;
    }
  }
}
