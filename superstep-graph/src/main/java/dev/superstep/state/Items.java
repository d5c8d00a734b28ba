package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Stores a list channel item by item, so that a step costs what it added.
public final class Items<V> {
  private final ItemCodec<V, ?> codec;

  <T> Items(Codec<T> item) {
    this(item, list -> list);
  }

  /// @param read makes the value of the list of all items that are stored
  <T> Items(Codec<T> item, UnaryOperator<List<T>> read) {
    this.codec = new ItemCodec<>(item, read);
  }

  /// The items from `from` on, encoded.
  public List<Json> encode(V value, int from) {
    return codec.encode(value, from);
  }

  /// The value with these items.
  public V decode(List<Json> items) {
    return codec.decode(items);
  }

  private record ItemCodec<V, T>(Codec<T> item, UnaryOperator<List<T>> read) {
    @SuppressWarnings("unchecked") // made only by list channels, whose value is a list of T
    List<Json> encode(V value, int from) {
      // What a window hides is stored, too, so that an append stays an append.
      var all = value instanceof Window<?> window ? (List<T>) window.all() : (List<T>) value;
      var encoded = new ArrayList<Json>(all.size() - from);
      for (int i = from; i < all.size(); i++) encoded.add(item.encode(all.get(i)));
      return encoded;
    }

    @SuppressWarnings("unchecked")
    V decode(List<Json> items) {
      var all = new ArrayList<T>(items.size());
      for (var json : items) all.add(item.decode(json));
      return (V) read.apply(AppendList.<T>empty().plus(all));
    }
  }
}
