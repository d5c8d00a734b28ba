package dev.superstep.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Replaces items with a known id in place and adds the others at the end. Adding costs O(writes);
/// replacing copies what follows the first replaced item.
record ById<T>(Function<T, String> id, BiFunction<T, String, T> withId) implements ListReducer<T> {
  @Override
  public T complete(T write, Supplier<String> ids) {
    return id.apply(write).isEmpty() ? withId.apply(write, ids.get()) : write;
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = AppendList.of(current).indexed(id);
    var added = new LinkedHashMap<String, T>();
    var replaced = new HashMap<Integer, T>();
    for (var write : writes) {
      var key = id.apply(write);
      int at = before.position(key, id);
      if (at < 0) added.put(key, write);
      else replaced.put(at, write);
    }
    replaced.entrySet().removeIf(e -> before.get(e.getKey()).equals(e.getValue()));
    var tail = List.copyOf(added.values());
    if (!replaced.isEmpty()) return rewritten(before, replaced, tail);
    return new Folded<>(before.plusIndexed(tail, id), !tail.isEmpty(), before.size());
  }

  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public Folded<List<T>> remove(@Nullable List<T> current, String key) {
    var before = AppendList.of(current).indexed(id);
    int at = before.position(key, id);
    if (at < 0) return new Folded<>(before, false, before.size());
    var rest = before.subList(at + 1, before.size());
    return new Folded<>(before.first(at).plus(rest), true, at);
  }

  private Folded<List<T>> rewritten(AppendList<T> before, Map<Integer, T> replaced, List<T> added) {
    int first = replaced.keySet().stream().mapToInt(Integer::intValue).min().orElseThrow();
    var tail = new ArrayList<T>(before.subList(first, before.size()));
    replaced.forEach((at, item) -> tail.set(at - first, item));
    tail.addAll(added);
    return new Folded<>(before.first(first).plus(tail), true, first);
  }
}
