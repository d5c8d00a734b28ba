package dev.superstep.rag.component;

import dev.superstep.json.Codec;
import dev.superstep.state.Folded;
import dev.superstep.state.Reducer;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// A reducer with the types of its value and of one write, to be registered for channels of texts.
/// Immutable.
///
/// ```java
/// registry.register(Component.of(Kind.REDUCER, "usage_sum",
///     TypedReducer.of(Long.class, Long.class, 0L, Long::sum)));
/// ```
///
/// @param fold adds a write to a value; free of side effects
public record TypedReducer<V, W>(
    Codec<V> values, Codec<W> writes, V initial, BiFunction<V, W, V> fold)
    implements Reducer<V, W> {
  /// A reducer of these types.
  public static <V, W> TypedReducer<V, W> of(
      Class<V> values, Class<W> writes, V initial, BiFunction<V, W, V> fold) {
    return new TypedReducer<>(Codec.of(values), Codec.of(writes), initial, fold);
  }

  @Override
  public Folded<V> fold(@Nullable V current, List<W> all) {
    var before = current == null ? initial : current;
    var next = before;
    for (var write : all) next = fold.apply(next, write);
    return new Folded<>(next, !before.equals(next), 0);
  }
}
