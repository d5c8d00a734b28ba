package dev.superstep.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps the writes of one superstep.
record Topic<T>() implements Reducer<List<T>, T> {
  @Override
  public List<T> initial() {
    return List.of();
  }

  @Override
  public boolean isLasting() {
    return false;
  }

  @Override
  public List<T> adopt(List<T> value) {
    return List.copyOf(value);
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var next = List.copyOf(writes);
    // Lists of different lengths are not compared, so this costs O(writes).
    boolean same = current != null && current.size() == next.size() && current.equals(next);
    return Folded.whole(next, !same);
  }
}
