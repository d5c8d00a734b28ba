package dev.superstep.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Adds every write whose key no item has yet at the end, and drops the others. Costs O(writes).
record Distinct<T>(Function<T, String> key) implements ListReducer<T> {
  @Override
  public List<T> adopt(List<T> value) {
    return AppendList.<T>empty().plus(new ListCut.Once<>(key).of(value));
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = AppendList.of(current).indexed(key);
    var added = new LinkedHashMap<String, T>();
    for (var write : writes) {
      var wanted = key.apply(write);
      if (before.position(wanted, key) < 0) added.putIfAbsent(wanted, write);
    }
    var tail = List.copyOf(added.values());
    return new Folded<>(before.plusIndexed(tail, key), !tail.isEmpty(), before.size());
  }
}
