package dev.superstep.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps one value until the node that it triggers takes it.
record Token<V>() implements Reducer<V, V> {
  @Override
  public @Nullable V initial() {
    return null;
  }

  @Override
  public boolean isAggregate() {
    return false;
  }

  @Override
  public boolean isConsumed() {
    return true;
  }

  @Override
  public Folded<V> fold(@Nullable V current, List<V> writes) {
    // A token follows an absent one, or is an error: there is nothing to compare it with.
    return Folded.whole(writes.getLast(), true);
  }
}
