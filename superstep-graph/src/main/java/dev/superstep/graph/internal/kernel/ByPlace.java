package dev.superstep.graph.internal.kernel;

import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A sorted map from places, of nodes or of channels. Mostly it has a single entry, which it holds
/// itself. One thread, for one superstep.
final class ByPlace<T> {
  static final int NONE = -1;

  private int place = NONE;
  private @Nullable T value;
  // All entries, once there is more than one.
  private @Nullable TreeMap<Integer, T> many;

  @Nullable T get(int at) {
    if (many != null) return many.get(at);
    return at == place ? value : null;
  }

  void put(int at, T next) {
    if (many == null && (place == NONE || place == at)) {
      place = at;
      value = next;
      return;
    }
    if (many == null) {
      many = new TreeMap<>();
      many.put(place, Objects.requireNonNull(value));
    }
    many.put(at, next);
  }

  /// The first place with an entry that is not before this one; NONE if there is none.
  int next(int from) {
    if (many == null) return place >= from ? place : NONE;
    var found = many.ceilingKey(from);
    return found == null ? NONE : found;
  }

  int size() {
    if (many != null) return many.size();
    return place == NONE ? 0 : 1;
  }
}
