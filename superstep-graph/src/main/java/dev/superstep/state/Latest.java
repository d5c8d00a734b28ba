package dev.superstep.state;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps the one value written.
record Latest<V>() implements Reducer<V, V> {
  @Override
  public @Nullable V initial() {
    return null;
  }

  @Override
  public boolean isAggregate() {
    return false;
  }

  @Override
  public Folded<V> fold(@Nullable V current, List<V> writes) {
    var last = writes.getLast();
    return Folded.whole(last, !Objects.equals(current, last));
  }
}
