package dev.superstep.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Merges every written map into the value, key by key.
record Merge<T>() implements Reducer<Map<String, T>, Map<String, T>> {
  @Override
  public Map<String, T> initial() {
    return Map.of();
  }

  @Override
  public boolean isAggregate() {
    return true;
  }

  @Override
  public Map<String, T> adopt(Map<String, T> value) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(value));
  }

  @Override
  public Folded<Map<String, T>> fold(
      @Nullable Map<String, T> current, List<Map<String, T>> writes) {
    Map<String, T> before = current == null ? Map.of() : current;
    // All at once: what is written and written back has not changed.
    var merged = new LinkedHashMap<String, T>();
    for (var write : writes) merged.putAll(write);
    boolean changed = false;
    for (var entry : merged.entrySet()) {
      changed |= !entry.getValue().equals(before.get(entry.getKey()));
    }
    if (!changed) return Folded.whole(before, false);
    var next = new LinkedHashMap<String, T>(before);
    next.putAll(merged);
    return Folded.whole(Collections.unmodifiableMap(next), true);
  }

  @Override
  public boolean hasKeys() {
    return true;
  }

  @Override
  public Folded<Map<String, T>> remove(@Nullable Map<String, T> current, String key) {
    var next = new LinkedHashMap<String, T>(current == null ? Map.of() : current);
    boolean changed = next.remove(key) != null;
    return Folded.whole(Collections.unmodifiableMap(next), changed);
  }
}
