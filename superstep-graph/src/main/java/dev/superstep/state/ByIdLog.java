package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.state.KeyedViews.ListView;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Folds as [ById] does, and stores what changed instead of the list from there on. Costs O(writes)
/// in the store.
record ByIdLog<T>(ById<T> list) implements Reducer<List<T>, T> {
  Items<List<T>> items(Codec<T> item) {
    return new Items<>(new KeyedForm<List<T>, T>(item, list.id(), this::toList, ListView::new));
  }

  private KeyedList<T> toList(@Nullable List<T> value) {
    if (value instanceof ListView<T> view) return view.list();
    return KeyedList.<T>of(list.id(), value == null ? List.of() : value).unstored();
  }

  @Override
  public List<T> initial() {
    return adopt(List.of());
  }

  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public T complete(T write, Supplier<String> ids) {
    return list.complete(write, ids);
  }

  @Override
  public List<T> adopt(List<T> value) {
    return new ListView<>(KeyedList.<T>of(list.id(), value));
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    return folded(toList(current).put(writes));
  }

  @Override
  public Folded<List<T>> remove(@Nullable List<T> current, String key) {
    return folded(toList(current).without(key));
  }

  private static <T> Folded<List<T>> folded(KeyedList.Changed<T> changed) {
    return changed.folded(new ListView<>(changed.list()));
  }
}
