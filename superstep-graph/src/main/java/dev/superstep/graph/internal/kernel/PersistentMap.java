package dev.superstep.graph.internal.kernel;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An immutable map that shares its entries with those that it was made from: to put, to remove and
/// to find the difference between two of one line costs O(log n) for each entry concerned. Ordered
/// by its keys. Safe for many threads.
///
/// It is a treap whose priorities are made from the keys, so maps with equal keys have one shape.
public final class PersistentMap<K extends Comparable<K>, V> extends AbstractMap<K, V> {
  // Up to here a copy is quicker than a tree, and keeps the order in which keys came.
  private static final int FEW = 16;

  private final @Nullable Tree<K, V> root;

  private PersistentMap(@Nullable Tree<K, V> root) {
    this.root = root;
  }

  private record Tree<K, V>(
      K key, V value, int size, @Nullable Tree<K, V> left, @Nullable Tree<K, V> right) {
    static <K, V> Tree<K, V> of(
        K key, V value, @Nullable Tree<K, V> left, @Nullable Tree<K, V> right) {
      return new Tree<>(key, value, 1 + sizeOf(left) + sizeOf(right), left, right);
    }

    Tree<K, V> with(@Nullable Tree<K, V> less, @Nullable Tree<K, V> more) {
      return of(key, value, less, more);
    }
  }

  /// Hears what makes of one map another.
  public interface Changes<K, V> {
    /// Hears of a key that is new or has another value.
    ///
    /// @param before null if the key is new
    void put(K key, @Nullable V before, V after);

    void removed(K key, V before);
  }

  // --- Of any map ---

  /// The map with one entry more, or another value; few are copied, many share.
  public static <K extends Comparable<K>, V> Map<K, V> with(Map<K, V> map, K key, V value) {
    if (map instanceof PersistentMap<K, V> many) return many.plus(key, value);
    if (map.size() < FEW) {
      var copy = new LinkedHashMap<>(map);
      copy.put(key, value);
      return copy;
    }
    return of(map).plus(key, value);
  }

  /// The map without an entry.
  public static <K extends Comparable<K>, V> Map<K, V> without(Map<K, V> map, K key) {
    if (map instanceof PersistentMap<K, V> many) return many.minus(key);
    if (!map.containsKey(key)) return map;
    var copy = new LinkedHashMap<>(map);
    copy.remove(key);
    return copy;
  }

  /// Calls back with the changes that turn one map into another. Values are compared by identity.
  @SuppressWarnings("ReferenceEquality")
  public // what is shared is one object
  static <K extends Comparable<K>, V> void changes(
      Map<K, V> before, Map<K, V> after, Changes<K, V> told) {
    if (before == after) return;
    if (before instanceof PersistentMap<K, V> b && after instanceof PersistentMap<K, V> a) {
      changes(b.root, a.root, told);
      return;
    }
    before.forEach((key, value) -> {
      if (!after.containsKey(key)) told.removed(key, value);
    });
    after.forEach((key, value) -> {
      var old = before.get(key);
      if (old != value) told.put(key, old, value);
    });
  }

  private static <K extends Comparable<K>, V> PersistentMap<K, V> of(Map<K, V> map) {
    var all = new PersistentMap<K, V>(null);
    for (var entry : map.entrySet()) all = all.plus(entry.getKey(), entry.getValue());
    return all;
  }

  // --- Entries ---

  private PersistentMap<K, V> plus(K key, V value) {
    return new PersistentMap<>(put(root, key, value));
  }

  private PersistentMap<K, V> minus(K key) {
    return containsKey(key) ? new PersistentMap<>(removed(root, key)) : this;
  }

  private static int sizeOf(@Nullable Tree<?, ?> tree) {
    return tree == null ? 0 : tree.size();
  }

  /// Returns whether the first key stands above the second.
  private static <K extends Comparable<K>> boolean isAbove(K one, K other) {
    int mine = priority(one);
    int theirs = priority(other);
    return mine == theirs ? one.compareTo(other) > 0 : mine > theirs;
  }

  private static int priority(Object key) {
    // The finalizer of MurmurHash3: keys that follow each other must not have such priorities.
    int hash = key.hashCode();
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  private static <K extends Comparable<K>, V> Tree<K, V> put(
      @Nullable Tree<K, V> tree, K key, V value) {
    if (tree == null) return Tree.of(key, value, null, null);
    int order = key.compareTo(tree.key());
    if (order == 0) return Tree.of(key, value, tree.left(), tree.right());
    if (isAbove(key, tree.key())) {
      return Tree.of(key, value, below(tree, key), above(tree, key));
    }
    return order < 0
        ? tree.with(put(tree.left(), key, value), tree.right())
        : tree.with(tree.left(), put(tree.right(), key, value));
  }

  /// Returns the part of a tree with lesser keys.
  private static <K extends Comparable<K>, V> @Nullable Tree<K, V> below(
      @Nullable Tree<K, V> tree, K key) {
    if (tree == null) return null;
    return tree.key().compareTo(key) < 0
        ? tree.with(tree.left(), below(tree.right(), key))
        : below(tree.left(), key);
  }

  /// Returns the part of a tree with greater keys.
  private static <K extends Comparable<K>, V> @Nullable Tree<K, V> above(
      @Nullable Tree<K, V> tree, K key) {
    if (tree == null) return null;
    return tree.key().compareTo(key) > 0
        ? tree.with(above(tree.left(), key), tree.right())
        : above(tree.right(), key);
  }

  private static <K extends Comparable<K>, V> @Nullable Tree<K, V> removed(
      @Nullable Tree<K, V> tree, K key) {
    if (tree == null) return null;
    int order = key.compareTo(tree.key());
    if (order < 0) return tree.with(removed(tree.left(), key), tree.right());
    if (order > 0) return tree.with(tree.left(), removed(tree.right(), key));
    return joined(tree.left(), tree.right());
  }

  /// Joins two trees, of which the first has the lesser keys.
  private static <K extends Comparable<K>, V> @Nullable Tree<K, V> joined(
      @Nullable Tree<K, V> less, @Nullable Tree<K, V> more) {
    if (less == null) return more;
    if (more == null) return less;
    return isAbove(less.key(), more.key())
        ? less.with(less.left(), joined(less.right(), more))
        : more.with(joined(less, more.left()), more.right());
  }

  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  private static <K extends Comparable<K>, V> void changes(
      @Nullable Tree<K, V> before, @Nullable Tree<K, V> after, Changes<K, V> told) {
    if (before == after) return;
    if (after != null && (before == null || isAbove(after.key(), before.key()))) {
      // A key above all earlier ones is new.
      changes(below(before, after.key()), after.left(), told);
      told.put(after.key(), null, after.value());
      changes(above(before, after.key()), after.right(), told);
    } else if (before != null && (after == null || isAbove(before.key(), after.key()))) {
      changes(before.left(), below(after, before.key()), told);
      told.removed(before.key(), before.value());
      changes(before.right(), above(after, before.key()), told);
    } else {
      var old = Objects.requireNonNull(before);
      var now = Objects.requireNonNull(after);
      changes(old.left(), now.left(), told);
      if (old.value() != now.value()) told.put(now.key(), old.value(), now.value());
      changes(old.right(), now.right(), told);
    }
  }

  // --- As a map ---

  @SuppressWarnings("unchecked") // whoever asks for a key of another type does not find it
  private @Nullable Tree<K, V> find(@Nullable Object key) {
    if (root == null || key == null || key.getClass() != root.key().getClass()) return null;
    var tree = root;
    while (tree != null) {
      int order = ((K) key).compareTo(tree.key());
      if (order == 0) return tree;
      tree = order < 0 ? tree.left() : tree.right();
    }
    return null;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    var found = find(key);
    return found == null ? null : found.value();
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return find(key) != null;
  }

  @Override
  public int size() {
    return sizeOf(root);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new InOrder<>(root);
      }

      @Override
      public int size() {
        return PersistentMap.this.size();
      }
    };
  }

  private static final class InOrder<K, V> implements Iterator<Map.Entry<K, V>> {
    private final ArrayDeque<Tree<K, V>> open = new ArrayDeque<>();

    InOrder(@Nullable Tree<K, V> root) {
      descend(root);
    }

    private void descend(@Nullable Tree<K, V> from) {
      for (var tree = from; tree != null; tree = tree.left()) open.push(tree);
    }

    @Override
    public boolean hasNext() {
      return !open.isEmpty();
    }

    @Override
    public Map.Entry<K, V> next() {
      if (open.isEmpty()) throw new NoSuchElementException();
      var tree = open.pop();
      descend(tree.right());
      return Map.entry(tree.key(), tree.value());
    }
  }
}
