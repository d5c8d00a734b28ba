package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.state.KeyedViews.MapView;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Merges every written map into the value, key by key. Costs O(writes) in the store.
record Merge<T>() implements Reducer<Map<String, T>, Map<String, T>> {
  static <T> Items<Map<String, T>> items(Codec<Map<String, T>> maps) {
    return new Items<>(
        new KeyedForm<Map<String, T>, Map.Entry<String, T>>(
            new EntryCodec<>(maps), Map.Entry::getKey, Merge::toList, MapView::new));
  }

  /// An entry as a map that has no other.
  private record EntryCodec<T>(Codec<Map<String, T>> maps) implements Codec<Map.Entry<String, T>> {
    @Override
    public Json encode(Map.Entry<String, T> entry) {
      return maps.encode(Collections.singletonMap(entry.getKey(), entry.getValue()));
    }

    @Override
    public Json encodeLazily(Map.Entry<String, T> entry) {
      return maps.encodeLazily(Collections.singletonMap(entry.getKey(), entry.getValue()));
    }

    @Override
    public Map.Entry<String, T> decode(Json json) {
      var map = maps.decode(json);
      if (map.size() != 1) {
        throw new IllegalArgumentException("an entry of its log has %d keys".formatted(map.size()));
      }
      return entry(map.entrySet().iterator().next());
    }

    @Override
    public String type() {
      return "entry of " + maps.type();
    }
  }

  /// Copies an entry: many maps create their entries on demand, and some let them be changed.
  private static <T> Map.Entry<String, T> entry(Map.Entry<String, T> entry) {
    return new SimpleImmutableEntry<>(entry);
  }

  private static <T> List<Map.Entry<String, T>> entries(List<Map<String, T>> maps) {
    var entries = new ArrayList<Map.Entry<String, T>>();
    for (var map : maps) for (var entry : map.entrySet()) entries.add(entry(entry));
    return entries;
  }

  private static <T> KeyedList<Map.Entry<String, T>> toList(@Nullable Map<String, T> value) {
    if (value instanceof MapView<T> view) return view.list();
    return KeyedList.<Map.Entry<String, T>>of(
            Map.Entry::getKey, value == null ? List.of() : entries(List.of(value)))
        .unstored();
  }

  @Override
  public Map<String, T> initial() {
    return adopt(Map.of());
  }

  @Override
  public Map<String, T> adopt(Map<String, T> value) {
    return new MapView<>(KeyedList.of(Map.Entry::getKey, entries(List.of(value))));
  }

  @Override
  public Folded<Map<String, T>> fold(
      @Nullable Map<String, T> current, List<Map<String, T>> writes) {
    // All at once: what is written and written back has not changed.
    return folded(toList(current).put(entries(writes)));
  }

  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public Folded<Map<String, T>> remove(@Nullable Map<String, T> current, String key) {
    return folded(toList(current).without(key));
  }

  private static <T> Folded<Map<String, T>> folded(
      KeyedList.Changed<Map.Entry<String, T>> changed) {
    return changed.folded(new MapView<>(changed.list()));
  }
}
