package dev.superstep.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Keeps the names that have come, and shows them once all have.
///
/// @param channel for errors
/// @param names all that must come, in order
record Barrier(String channel, List<String> names) implements Reducer<Set<String>, String> {
  @Override
  public @Nullable Set<String> initial() {
    return null;
  }

  @Override
  public boolean isConsumed() {
    return true;
  }

  @Override
  public boolean isReadDerived() {
    return true;
  }

  @Override
  public @Nullable Set<String> read(Set<String> kept) {
    return kept.size() == names.size() ? kept : null;
  }

  @Override
  public List<String> missing(Set<String> kept) {
    var missing = new ArrayList<>(names);
    missing.removeAll(kept);
    return missing;
  }

  @Override
  public String complete(String write, Supplier<String> ids) {
    check(write);
    return write;
  }

  @Override
  public Set<String> adopt(Set<String> value) {
    return ordered(value);
  }

  @Override
  public Folded<Set<String>> fold(@Nullable Set<String> current, List<String> writes) {
    Set<String> before = current == null ? Set.of() : current;
    var next = new LinkedHashSet<>(before);
    boolean changed = next.addAll(writes);
    return Folded.whole(changed ? ordered(next) : before, changed);
  }

  /// Sorts names into their declared order, whatever the order of arrival.
  private Set<String> ordered(Collection<String> some) {
    some.forEach(this::check);
    var ordered = new LinkedHashSet<>(names);
    ordered.retainAll(some);
    return Collections.unmodifiableSet(ordered);
  }

  private void check(String name) {
    if (!names.contains(name)) throw new UnknownArrival(channel, name, names);
  }
}
