package dev.superstep.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds every write at the end.
record Append<T>() implements ListReducer<T> {
  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = AppendList.of(current);
    return new Folded<>(before.plus(writes), !writes.isEmpty(), before.size());
  }
}
