package dev.superstep.graph.internal.kernel;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An immutable set of names that shares them with those that it was made from, as [PersistentMap]
/// does. Safe for many threads.
public final class PersistentSet extends AbstractSet<String> {
  private static final int FEW = 16;

  private final Map<String, Boolean> names;

  private PersistentSet(Map<String, Boolean> names) {
    this.names = names;
  }

  /// The set with more names; few are copied, many share.
  public static Set<String> with(Set<String> set, Set<String> more) {
    if (!(set instanceof PersistentSet) && set.size() + more.size() <= FEW) {
      var copy = new LinkedHashSet<>(set);
      copy.addAll(more);
      return copy;
    }
    var names = Map.<String, Boolean>of();
    if (set instanceof PersistentSet many) names = many.names;
    else for (var name : set) names = PersistentMap.with(names, name, Boolean.TRUE);
    for (var name : more) names = PersistentMap.with(names, name, Boolean.TRUE);
    return new PersistentSet(names);
  }

  /// Calls back with the names that one set has more than another.
  ///
  /// @return false if it has not all of the other's
  public static boolean additions(Set<String> before, Set<String> after, Consumer<String> added) {
    if (before instanceof PersistentSet b && after instanceof PersistentSet a) {
      var told = new Additions(added);
      PersistentMap.changes(b.names, a.names, told);
      return !told.isLess;
    }
    if (after.size() < before.size() || !after.containsAll(before)) return false;
    for (var name : after) if (!before.contains(name)) added.accept(name);
    return true;
  }

  private static final class Additions implements PersistentMap.Changes<String, Boolean> {
    private final Consumer<String> added;
    private boolean isLess;

    Additions(Consumer<String> added) {
      this.added = added;
    }

    @Override
    public void put(String name, @Nullable Boolean before, Boolean after) {
      added.accept(name);
    }

    @Override
    public void removed(String name, Boolean before) {
      isLess = true;
    }
  }

  @Override
  public boolean contains(@Nullable Object name) {
    return names.containsKey(name);
  }

  @Override
  public Iterator<String> iterator() {
    return names.keySet().iterator();
  }

  @Override
  public int size() {
    return names.size();
  }
}
