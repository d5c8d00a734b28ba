package dev.superstep.state;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The views in which nodes read a [KeyedList]: a list, a map or a set. Immutable, safe for many
/// threads.
final class KeyedViews {
  private KeyedViews() {}

  /// Its items.
  static final class ListView<T> extends AbstractList<T> implements RandomAccess {
    private final KeyedList<T> list;

    ListView(KeyedList<T> list) {
      this.list = list;
    }

    KeyedList<T> list() {
      return list;
    }

    @Override
    public T get(int index) {
      return list.get(index);
    }

    @Override
    public int size() {
      return list.size();
    }
  }

  /// Its items as the entries of a map, in order.
  static final class MapView<T> extends AbstractMap<String, T> {
    private final KeyedList<Map.Entry<String, T>> list;

    MapView(KeyedList<Map.Entry<String, T>> list) {
      this.list = list;
    }

    KeyedList<Map.Entry<String, T>> list() {
      return list;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return key != null && list.find(key) != null;
    }

    @Override
    public @Nullable T get(@Nullable Object key) {
      var entry = key == null ? null : list.find(key);
      return entry == null ? null : entry.getValue();
    }

    @Override
    public Set<Map.Entry<String, T>> entrySet() {
      return new Elements<>(new ListView<>(list));
    }
  }

  /// Its items as the elements of a set, in order.
  static final class SetView<T> extends AbstractSet<T> {
    private final KeyedList<T> list;

    SetView(KeyedList<T> list) {
      this.list = list;
    }

    KeyedList<T> list() {
      return list;
    }

    @Override
    public boolean contains(@Nullable Object element) {
      return element != null && list.find(element) != null;
    }

    @Override
    public Iterator<T> iterator() {
      return new ListView<>(list).iterator();
    }

    @Override
    public int size() {
      return list.size();
    }
  }

  private static final class Elements<T> extends AbstractSet<T> {
    private final List<T> items;

    Elements(List<T> items) {
      this.items = items;
    }

    @Override
    public Iterator<T> iterator() {
      return items.iterator();
    }

    @Override
    public int size() {
      return items.size();
    }
  }
}
