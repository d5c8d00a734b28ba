package dev.superstep.checkpoint;

import java.util.LinkedHashMap;
import java.util.Optional;

/// Keeps a limited number of results in memory, encoded, until the process ends. When it is full,
/// the one that was not used for the longest time goes. Safe for many threads.
public final class InMemoryNodeCache implements NodeCache {
  private static final float LOAD = 0.75f;

  private final int most;

  /// The one that was not used for the longest time first.
  private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>(16, LOAD, true);

  private InMemoryNodeCache(int most) {
    this.most = most;
  }

  /// A cache of at most so many results.
  public static InMemoryNodeCache holding(int most) {
    if (most < 1) throw new IllegalArgumentException("most must be at least 1, was " + most);
    return new InMemoryNodeCache(most);
  }

  @Override
  public synchronized Optional<Entry> get(Key key) {
    return Optional.ofNullable(entries.get(key));
  }

  @Override
  public synchronized void put(Key key, Entry entry) {
    entries.put(key, entry);
    if (entries.size() > most) entries.pollFirstEntry();
  }

  @Override
  public synchronized void clear(String graph, String node) {
    entries.keySet().removeIf(key -> key.graph().equals(graph) && key.node().equals(node));
  }

  /// The number of cached results.
  public synchronized int size() {
    return entries.size();
  }

  @Override
  public String toString() {
    return "InMemoryNodeCache[at most " + most + " entries]";
  }
}
