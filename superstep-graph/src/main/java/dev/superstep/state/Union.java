package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.state.KeyedViews.SetView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Adds every write to a set. Costs O(writes).
record Union<T>() implements Reducer<Set<T>, T> {
  static <T> Items<Set<T>> items(Codec<T> element) {
    return new Items<>(
        new KeyedForm<Set<T>, T>(element, Function.identity(), Union::toList, SetView::new));
  }

  private static <T> KeyedList<T> toList(@Nullable Set<T> value) {
    if (value instanceof SetView<T> view) return view.list();
    return KeyedList.<T>of(Function.identity(), value == null ? List.of() : value).unstored();
  }

  @Override
  public Set<T> initial() {
    return adopt(Set.of());
  }

  @Override
  public Set<T> adopt(Set<T> value) {
    return new SetView<>(KeyedList.<T>of(Function.identity(), value));
  }

  @Override
  public Folded<Set<T>> fold(@Nullable Set<T> current, List<T> writes) {
    // Of two that are equal, the first came first.
    var changed = toList(current).put(writes.size() == 1 ? writes : new LinkedHashSet<>(writes));
    return changed.folded(new SetView<>(changed.list()));
  }
}
