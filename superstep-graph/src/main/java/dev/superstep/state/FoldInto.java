package dev.superstep.state;

import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Folds each write into the value by a function.
record FoldInto<V, W>(V initial, BiFunction<V, W, V> fold) implements Reducer<V, W> {
  @Override
  public Folded<V> fold(@Nullable V current, List<W> writes) {
    var before = current == null ? initial : current;
    var next = before;
    for (var write : writes) next = Objects.requireNonNull(fold.apply(next, write), "fold");
    return Folded.whole(next, !before.equals(next));
  }
}
