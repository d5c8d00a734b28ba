package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Stores a channel item by item, so that a step costs what it added.
public final class Items<V> {
  private final Form<V> form;

  <T> Items(Codec<T> item) {
    this(item, list -> list);
  }

  /// @param read makes the value of the list of all items that are stored
  <T> Items(Codec<T> item, UnaryOperator<List<T>> read) {
    this(new ListForm<>(item, read));
  }

  Items(Form<V> form) {
    this.form = form;
  }

  /// The conversion of a value to its items and back.
  interface Form<V> {
    List<Json> encode(V value, int from);

    V decode(List<Json> items);

    /// A value of which no items are stored.
    default V unstored(V whole) {
      return whole;
    }
  }

  /// The items from `from` on, encoded [lazily][Codec#encodeLazily].
  public List<Json> encode(V value, int from) {
    return form.encode(value, from);
  }

  /// The value with these items.
  public V decode(List<Json> items) {
    return form.decode(items);
  }

  /// A value that is stored in one piece: its next change stores all items.
  public V unstored(V whole) {
    return form.unstored(whole);
  }

  /// Reduces the stored changes of a by-id, merge or union channel to the current items: the items
  /// of the list, single entries of the map, or the elements of the set.
  ///
  /// @throws IllegalArgumentException if they cannot be such changes
  public static List<Json> settled(List<Json> changes) {
    return KeyedForm.settled(changes);
  }

  /// The value of items that are the entries of a delta channel, for a channel of any kind that
  /// folds writes as the delta did. Empty if there are writes and it is no folding channel.
  public static <V, W> Optional<V> refolded(List<Json> entries, Channel<V, W> channel) {
    return Delta.refolded(entries, channel);
  }

  private record ListForm<V, T>(Codec<T> item, UnaryOperator<List<T>> read) implements Form<V> {
    @Override
    @SuppressWarnings("unchecked") // made only by list channels, whose value is a list of T
    public List<Json> encode(V value, int from) {
      // Items that a window hides are stored, too, so that an append stays an append.
      var all = value instanceof Window<?> window ? (List<T>) window.all() : (List<T>) value;
      var encoded = new ArrayList<Json>(all.size() - from);
      for (int i = from; i < all.size(); i++) encoded.add(item.encodeLazily(all.get(i)));
      return encoded;
    }

    @Override
    @SuppressWarnings("unchecked")
    public V decode(List<Json> items) {
      var all = new ArrayList<T>(items.size());
      for (var json : items) all.add(item.decode(json));
      return (V) read.apply(AppendList.<T>empty().plus(all));
    }
  }
}
