package dev.superstep.language.blueprint;

import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Scope;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// The items of a block with their values, in the order of [Item]. Immutable.
public final class Items {
  private static final Items NONE = new Items(Map.of());

  private final Map<Item, Value> values;

  private Items(Map<Item, Value> values) {
    this.values = values;
  }

  /// No items.
  public static Items none() {
    return NONE;
  }

  /// A copy of these items.
  public static Items of(Map<Item, Value> values) {
    if (values.isEmpty()) return NONE;
    return new Items(Collections.unmodifiableMap(new EnumMap<>(values)));
  }

  /// Returns a copy with one more item, or another value of it.
  public Items with(Item item, Value value) {
    var more = new EnumMap<Item, Value>(Item.class);
    more.putAll(values);
    more.put(item, value);
    return of(more);
  }

  /// All items.
  public Map<Item, Value> values() {
    return values;
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public boolean has(Item item) {
    return values.containsKey(item);
  }

  public Optional<Value> find(Item item) {
    return Optional.ofNullable(values.get(item));
  }

  /// The value of an item, if it has one of this form.
  public <V extends Value> Optional<V> find(Item item, Class<V> form) {
    return find(item).filter(form::isInstance).map(form::cast);
  }

  /// The string or word of an item.
  public Optional<String> text(Item item) {
    return find(item)
        .map(value ->
            switch (value) {
              case Value.Text(var text) -> text;
              case Value.Word(var word) -> word;
              case Value.Name(var name) -> name;
              default -> throw new IllegalArgumentException(item + " has no text");
            });
  }

  /// The strings or names of an item; none if it is not there.
  public List<String> texts(Item item) {
    return find(item)
        .map(value ->
            switch (value) {
              case Value.Texts(var texts) -> texts;
              case Value.Names(var names) -> names;
              default -> throw new IllegalArgumentException(item + " has no texts");
            })
        .orElse(List.of());
  }

  public OptionalInt count(Item item) {
    return find(item, Value.Count.class)
        .map(value -> OptionalInt.of(value.count()))
        .orElse(OptionalInt.empty());
  }

  public Optional<Duration> duration(Item item) {
    return find(item, Value.Time.class).map(Value.Time::duration);
  }

  /// The entries of an object; none if it is not there.
  public Map<String, Literal> fields(Item item) {
    return find(item, Value.Fields.class).map(Value.Fields::values).orElse(Map.of());
  }

  /// The items of a block; none if it is not there.
  public Items block(Item item) {
    return find(item, Value.Block.class).map(Value.Block::items).orElse(NONE);
  }

  /// These items, and where one of them is not set, the others'. For defaults: the value of a node
  /// is before that of its graph.
  public Items orElse(Items others, Scope scope) {
    var all = new EnumMap<Item, Value>(Item.class);
    others.values.forEach((item, value) -> {
      if (item.scopes().contains(scope)) all.put(item, value);
    });
    all.putAll(values);
    return of(all);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Items items && values.equals(items.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
