package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.state.KeyedList.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The stored form of the log of a [KeyedList]: an added item as it is, an item that replaces that
/// of an earlier slot as `["at",slot,item]`, and a removal as `["at",slot]`. A list that was stored
/// item by item before such logs existed reads as a log. See docs/decisions/0054.
///
/// @param key returns the key of an item
/// @param toList the list behind a value
/// @param value what is read of a list
record KeyedForm<V, E>(
    Codec<E> item,
    Function<? super E, ?> key,
    Function<V, KeyedList<E>> toList,
    Function<KeyedList<E>, V> value)
    implements Items.Form<V> {
  private static final Codec<List<Json>> PARTS = Codec.listOf(Json.class);
  private static final Json AT = Json.string("at");
  private static final String MARK = "[" + AT.text() + ",";

  @Override
  public List<Json> encode(V of, int from) {
    var log = toList.apply(of).log();
    var encoded = new ArrayList<Json>(log.size() - from);
    for (int place = from; place < log.size(); place++) encoded.add(encode(log.get(place), place));
    return encoded;
  }

  private Json encode(Change<E> change, int place) {
    var slot = Json.of(change.slot());
    if (change.item() == null) return PARTS.encode(List.of(AT, slot));
    var json = item.encodeLazily(change.item());
    boolean isPlain = change.slot() == place && !isMarked(json);
    return isPlain ? json : PARTS.encode(List.of(AT, slot, json));
  }

  @Override
  public V decode(List<Json> items) {
    var log = new ArrayList<Change<E>>(items.size());
    for (var change : changes(items)) log.add(decoded(change));
    return value.apply(KeyedList.replayed(key, log));
  }

  private Change<E> decoded(Change<Json> change) {
    var json = change.item();
    return new Change<>(change.slot(), json == null ? null : item.decode(json));
  }

  @Override
  public V unstored(V whole) {
    return value.apply(toList.apply(whole).unstored());
  }

  /// The items that a stored log leaves, as they were encoded.
  static List<Json> settled(List<Json> items) {
    return KeyedList.replayed(changes(items)).stream().filter(Objects::nonNull).toList();
  }

  private static boolean isMarked(Json json) {
    return json.isList() && json.text().startsWith(MARK);
  }

  private static List<Change<Json>> changes(List<Json> items) {
    var changes = new ArrayList<Change<Json>>(items.size());
    for (var json : items) changes.add(change(json, changes.size()));
    return changes;
  }

  private static Change<Json> change(Json json, int place) {
    if (!isMarked(json)) return new Change<>(place, json);
    var parts = PARTS.decode(json);
    @Nullable Json item = parts.size() > 2 ? parts.get(2) : null;
    return new Change<>(parts.get(1).as(Integer.class), item);
  }
}
