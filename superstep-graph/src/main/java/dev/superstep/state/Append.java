package dev.superstep.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds every write at the end.
record Append<T>() implements Reducer<List<T>, T> {
  @Override
  public List<T> initial() {
    return AppendList.empty();
  }

  @Override
  public List<T> adopt(List<T> value) {
    return AppendList.<T>empty().plus(value);
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = AppendList.of(current);
    return new Folded<>(before.plus(writes), !writes.isEmpty(), before.size());
  }
}
