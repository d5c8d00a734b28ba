package dev.superstep.state;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps the last value written.
record Latest<V>(boolean isAggregate, boolean isLasting) implements Reducer<V, V> {
  @Override
  public @Nullable V initial() {
    return null;
  }

  @Override
  public Folded<V> fold(@Nullable V current, List<V> writes) {
    var last = writes.getLast();
    return Folded.whole(last, !Objects.equals(current, last));
  }
}
