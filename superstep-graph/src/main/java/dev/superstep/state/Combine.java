package dev.superstep.state;

import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// Combines each write with the value by a function.
record Combine<T>(@Nullable T initial, BinaryOperator<T> combine) implements Reducer<T, T> {
  @Override
  public Folded<T> fold(@Nullable T current, List<T> writes) {
    var next = current;
    for (var write : writes) next = next == null ? write : combine.apply(next, write);
    return new Folded<>(next, !Objects.equals(current, next), 0);
  }
}
