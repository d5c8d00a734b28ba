package dev.superstep.middleware;

import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Optional;

/// Keeps replies in memory, encoded, until the process ends. When it is full, those that were not
/// used for the longest time go. Safe for many threads.
public final class InMemoryResponseCache implements ResponseCache {
  private static final float LOAD = 0.75f;

  private final int mostEntries;
  private final long mostBytes;
  private long bytes;

  /// The one that was not used for the longest time first.
  private final LinkedHashMap<Key, byte[]> entries = new LinkedHashMap<>(16, LOAD, true);

  private InMemoryResponseCache(int mostEntries, long mostBytes) {
    this.mostEntries = mostEntries;
    this.mostBytes = mostBytes;
  }

  /// A cache of at most so many replies with at most so many bytes together. A reply that is larger
  /// than that alone is not stored.
  public static InMemoryResponseCache holding(int entries, long bytes) {
    SettingChecks.atLeast(1, "entries", entries);
    if (bytes < 1) throw new IllegalArgumentException("bytes must be at least 1, was " + bytes);
    return new InMemoryResponseCache(entries, bytes);
  }

  @Override
  public Optional<Entry> get(Key key) {
    byte[] found;
    synchronized (this) {
      found = entries.get(key);
    }
    if (found == null) return Optional.empty();
    var json = Json.unchecked(new String(found, StandardCharsets.UTF_8));
    return Optional.of(Entry.CODEC.decode(json));
  }

  @Override
  public void put(Key key, Entry entry) {
    var encoded = Entry.CODEC.encode(entry).text().getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      remove(key);
      if (encoded.length > mostBytes) return;
      entries.put(key, encoded);
      bytes += encoded.length;
      while (entries.size() > mostEntries || bytes > mostBytes) remove(oldest());
    }
  }

  /// The number of replies in the cache.
  public synchronized int size() {
    return entries.size();
  }

  /// The number of bytes in the cache.
  public synchronized long bytes() {
    return bytes;
  }

  private Key oldest() {
    return entries.firstEntry().getKey();
  }

  private void remove(Key key) {
    var gone = entries.remove(key);
    if (gone != null) bytes -= gone.length;
  }

  @Override
  public String toString() {
    return "InMemoryResponseCache[at most " + mostEntries + " entries]";
  }
}
