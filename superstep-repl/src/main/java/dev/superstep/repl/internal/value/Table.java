package dev.superstep.repl.internal.value;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A hash table that keeps the order of insertion, for maps and sets. Counts the memory that it
/// takes and the probes of keys that collide.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
public final class Table {
  private static final int[] NO_INDEX = new int[0];
  private static final int FREE = 0;
  private static final int GONE = -1;

  private final boolean hasValues;
  private @Nullable Value[] keys;
  private @Nullable Value[] values;
  private int[] hashes;

  // Entry number + 1, or FREE or GONE; a power of two long.
  private int[] index = NO_INDEX;
  private int entries;
  private int live;
  private int changes;

  public Table(Meter m, boolean hasValues) {
    m.charge(96);
    this.hasValues = hasValues;
    keys = new Value[0];
    values = keys;
    hashes = NO_INDEX;
  }

  public int size() {
    return live;
  }

  /// Grows with each key that comes or goes.
  public int changes() {
    return changes;
  }

  /// The end of the entry numbers; some may be gone.
  public int end() {
    return entries;
  }

  /// The key of an entry, or `null` if it is gone.
  public @Nullable Value key(int entry) {
    return keys[entry];
  }

  /// The value of an entry that is there.
  public Value value(int entry) {
    var found = values[entry];
    if (found == null) throw new IllegalStateException("entry " + entry + " is gone");
    return found;
  }

  public void setValue(int entry, Value value) {
    values[entry] = value;
  }

  /// The number of the entry of a key, or -1.
  public int find(Meter m, Value key) {
    return find(m, key, Equality.hash(m, key));
  }

  private int find(Meter m, Value key, int hash) {
    if (live == 0) return -1;
    int mask = index.length - 1;
    int at = spread(hash) & mask;
    int probes = 0;
    while (true) {
      int entry = index[at];
      if (entry == FREE) return -1;
      if (entry != GONE && hashes[entry - 1] == hash) {
        var known = keys[entry - 1];
        if (known == key || (known != null && Equality.equal(m, known, key))) return entry - 1;
      }
      if (++probes > 8) m.tick(1);
      at = (at + probes) & mask;
    }
  }

  private static int spread(int hash) {
    int h = hash * 0x9E3779B9;
    return h ^ (h >>> 15);
  }

  /// The value of a key, or `null`.
  public @Nullable Value get(Meter m, Value key) {
    int entry = find(m, key);
    return entry < 0 ? null : values[entry];
  }

  public boolean contains(Meter m, Value key) {
    return find(m, key) >= 0;
  }

  /// Sets the value of a key; the key stays where and as it was if it is known.
  public void put(Meter m, Value key, Value value) {
    int hash = Equality.hash(m, key);
    int entry = find(m, key, hash);
    if (entry >= 0) {
      if (hasValues) values[entry] = value;
      return;
    }
    if (entries == keys.length || 2 * (entries + 1) > index.length) grow(m);
    keys[entries] = key;
    if (hasValues) values[entries] = value;
    hashes[entries] = hash;
    place(hash, entries + 1);
    entries++;
    live++;
    changes++;
  }

  /// Adds a key of a set.
  public void add(Meter m, Value key) {
    put(m, key, key);
  }

  private void place(int hash, int entry) {
    int mask = index.length - 1;
    int at = spread(hash) & mask;
    for (int probes = 1; index[at] > 0; probes++) at = (at + probes) & mask;
    index[at] = entry;
  }

  private void grow(Meter m) {
    long capacity = Math.max(8, live + (live >> 1) + 1L);
    if (capacity > 1 << 28) throw m.halt(Halt.Cause.MEMORY, "a map or set is too large");
    int slots = Integer.highestOneBit((int) capacity * 2 - 1) * 2;
    m.charge(capacity * (hasValues ? 2L * Value.PLACE : Value.PLACE) + 4 * capacity + 4L * slots);
    m.work(live);
    var oldKeys = keys;
    var oldValues = values;
    var oldHashes = hashes;
    keys = new Value[(int) capacity];
    values = hasValues ? new Value[(int) capacity] : keys;
    hashes = new int[(int) capacity];
    index = new int[slots];
    int to = 0;
    for (int i = 0; i < entries; i++) {
      if (oldKeys[i] == null) continue;
      keys[to] = oldKeys[i];
      if (hasValues) values[to] = oldValues[i];
      hashes[to] = oldHashes[i];
      place(hashes[to], to + 1);
      to++;
    }
    entries = to;
  }

  /// Takes a key out; returns its value, or `null` if it was not there.
  public @Nullable Value remove(Meter m, Value key) {
    int entry = find(m, key);
    return entry < 0 ? null : removeAt(m, entry);
  }

  /// Takes an entry out that is there; returns its value.
  public Value removeAt(Meter m, int entry) {
    int mask = index.length - 1;
    int at = spread(hashes[entry]) & mask;
    for (int probes = 1; index[at] != entry + 1; probes++) {
      if (probes > 8) m.tick(1);
      at = (at + probes) & mask;
    }
    index[at] = GONE;
    var gone = value(entry);
    keys[entry] = null;
    values[entry] = null;
    live--;
    changes++;
    while (entries > 0 && keys[entries - 1] == null) entries--;
    return gone;
  }

  public void clear() {
    keys = new Value[0];
    values = keys;
    hashes = NO_INDEX;
    index = NO_INDEX;
    entries = 0;
    live = 0;
    changes++;
  }

  /// The keys in order.
  public Value[] keyList(Meter m) {
    m.charge((long) Value.COPIED * live);
    m.work(live);
    var all = new Value[live];
    int to = 0;
    for (int i = 0; i < entries; i++) {
      var key = keys[i];
      if (key != null) all[to++] = key;
    }
    return all;
  }

  /// Adds all of another table.
  public void addAll(Meter m, Table other) {
    for (int i = 0; i < other.entries; i++) {
      var key = other.keys[i];
      if (key == null) continue;
      m.tick(1);
      put(m, key, hasValues ? (other.hasValues ? other.value(i) : None.NONE) : key);
    }
  }

  long bytes() {
    return 96
        + (long) keys.length * (hasValues ? 2 * Value.PLACE : Value.PLACE)
        + 4L * hashes.length
        + 4L * index.length;
  }

  /// Calls for each thing that it keeps reachable.
  void visit(Footprint walk) {
    walk.all(Arrays.copyOf(keys, entries));
    if (hasValues) walk.all(Arrays.copyOf(values, entries));
  }
}
