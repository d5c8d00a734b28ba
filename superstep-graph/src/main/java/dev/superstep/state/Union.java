package dev.superstep.state;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Adds every write to a set.
record Union<T>() implements Reducer<Set<T>, T> {
  @Override
  public Set<T> initial() {
    return Set.of();
  }

  @Override
  public boolean isAggregate() {
    return true;
  }

  @Override
  public Set<T> adopt(Set<T> value) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(value));
  }

  @Override
  public Folded<Set<T>> fold(@Nullable Set<T> current, List<T> writes) {
    Set<T> before = current == null ? Set.of() : current;
    if (before.containsAll(writes)) return Folded.whole(before, false);
    var next = new LinkedHashSet<T>(before);
    next.addAll(writes);
    return Folded.whole(Collections.unmodifiableSet(next), true);
  }
}
