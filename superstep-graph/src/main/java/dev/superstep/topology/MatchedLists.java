package dev.superstep.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;

/// Two lists, matched by a key. Elements with the same key are matched in order.
///
/// @param both what is in both, in the order of the earlier list
/// @param moved whether what is in both is in another order in the later list
record MatchedLists<T>(List<T> removed, List<T> added, List<Pair<T>> both, boolean moved) {
  /// @param place where it is in the later list
  record Pair<T>(T before, T after, int place) {}

  static <T> MatchedLists<T> of(List<T> before, List<T> after, Function<T, Object> key) {
    Map<Object, Queue<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < after.size(); i++) {
      places.computeIfAbsent(key.apply(after.get(i)), _ -> new ArrayDeque<>()).add(i);
    }
    var removed = new ArrayList<T>();
    var both = new ArrayList<Pair<T>>();
    boolean moved = false;
    int last = -1;
    for (var one : before) {
      var left = places.get(key.apply(one));
      var place = left == null ? null : left.poll();
      if (place == null) {
        removed.add(one);
      } else {
        both.add(new Pair<>(one, after.get(place), place));
        moved |= place < last;
        last = place;
      }
    }
    var added = places.values().stream().flatMap(Queue::stream).sorted().map(after::get).toList();
    return new MatchedLists<>(removed, added, both, moved);
  }

  /// The elements that are in both lists, in the order of the earlier list.
  List<T> earlier() {
    return both.stream().map(Pair::before).toList();
  }

  /// The elements that are in both lists, in the order of the later list.
  List<T> later() {
    return both.stream().sorted(Comparator.comparingInt(Pair::place)).map(Pair::after).toList();
  }
}
