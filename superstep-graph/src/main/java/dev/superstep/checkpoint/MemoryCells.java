package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The contents of all channels at a checkpoint, in the order of their names: the first of them,
/// which mostly are all, and chunks with more. A checkpoint shares with those before it the chunks
/// in which it changed nothing, and the names of the others. Immutable.
final class MemoryCells {
  // Copied with each change in it; that many chunks are copied, too.
  private static final int CHUNK = 128;
  private static final MemoryCells[] NO_MORE = {};

  static final MemoryCells NONE = new MemoryCells(new String[0], new MemoryCell[0], NO_MORE);

  private final String[] names;
  private final @Nullable MemoryCell[] cells;
  private final MemoryCells[] more;

  private MemoryCells(String[] names, @Nullable MemoryCell[] cells, MemoryCells[] more) {
    this.names = names;
    this.cells = cells;
    this.more = more;
  }

  /// @param chunks neighbours, none of them empty
  private static MemoryCells of(MemoryCells[] chunks) {
    if (chunks.length == 0) return NONE;
    var first = chunks[0];
    if (chunks.length == 1 && first.more.length == 0) return first;
    return new MemoryCells(first.names, first.cells, Arrays.copyOfRange(chunks, 1, chunks.length));
  }

  /// All chunks. The first may name the others, too.
  private MemoryCells[] chunks() {
    if (names.length == 0) return NO_MORE;
    var chunks = new MemoryCells[1 + more.length];
    chunks[0] = this;
    System.arraycopy(more, 0, chunks, 1, more.length);
    return chunks;
  }

  private MemoryCells chunk(int at) {
    return at == 0 ? this : more[at - 1];
  }

  /// A copy of the chunk alone.
  private MemoryCells copy() {
    return new MemoryCells(names, cells.clone(), NO_MORE);
  }

  private int place(String name) {
    return Arrays.binarySearch(names, name);
  }

  /// These, and what a commit changes.
  MemoryCells changed(List<ChannelChange> changes) {
    if (changes.isEmpty()) return this;
    var known = knowing(changes);
    var next = known.chunks();
    var own = new boolean[next.length];
    for (var change : changes) {
      int at = known.chunkOf(change.name());
      if (!own[at]) next[at] = next[at].copy();
      own[at] = true;
      var chunk = next[at];
      int place = chunk.place(change.name());
      chunk.cells[place] = MemoryCell.changed(change, chunk.cells[place]);
    }
    return of(next);
  }

  /// These, with an empty cell for each channel that is new here.
  private MemoryCells knowing(List<ChannelChange> changes) {
    if (knowsAll(changes)) return this;
    var added = new TreeSet<String>();
    for (var change : changes) if (!knows(change.name())) added.add(change.name());
    var chunks = chunks();
    if (chunks.length == 0) {
      return of(split(added.toArray(String[]::new)).toArray(MemoryCells[]::new));
    }
    var all = new ArrayList<MemoryCells>();
    for (int i = 0; i < chunks.length; i++) {
      var end = i + 1 == chunks.length ? null : chunks[i + 1].names[0];
      if (added.isEmpty() || (end != null && added.first().compareTo(end) >= 0)) {
        all.add(chunks[i]);
        continue;
      }
      var there = end == null ? added : added.headSet(end);
      all.addAll(split(with(there, chunks[i].names)));
      there.clear();
    }
    return of(all.toArray(MemoryCells[]::new));
  }

  private boolean knowsAll(List<ChannelChange> changes) {
    for (var change : changes) if (!knows(change.name())) return false;
    return true;
  }

  private boolean knows(String name) {
    int at = chunkOf(name);
    return at >= 0 && chunk(at).place(name) >= 0;
  }

  private static String[] with(SortedSet<String> more, String[] names) {
    var all = Arrays.copyOf(names, names.length + more.size());
    int end = names.length;
    for (var name : more) all[end++] = name;
    Arrays.sort(all);
    return all;
  }

  /// Chunks of about one size, with the cells that are there.
  private List<MemoryCells> split(String[] all) {
    int parts = (all.length + CHUNK - 1) / CHUNK;
    var split = new ArrayList<MemoryCells>(parts);
    for (int i = 0; i < parts; i++) {
      var part = Arrays.copyOfRange(all, all.length * i / parts, all.length * (i + 1) / parts);
      var its = new @Nullable MemoryCell[part.length];
      for (int place = 0; place < its.length; place++) its[place] = cell(part[place]);
      split.add(new MemoryCells(part, its, NO_MORE));
    }
    return split;
  }

  /// The number of the chunk in which a name is, or would be; -1 if there is none.
  private int chunkOf(String name) {
    if (names.length == 0) return -1;
    int low = 0;
    int high = more.length;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunk(middle).names[0].compareTo(name) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private @Nullable MemoryCell cell(String name) {
    int at = chunkOf(name);
    int place = at < 0 ? -1 : chunk(at).place(name);
    return place < 0 ? null : chunk(at).cells[place];
  }

  /// Returns the changes that turn older cells into these.
  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  List<ChannelChange> since(MemoryCells older) {
    var changes = new ArrayList<ChannelChange>();
    for (int i = 0; i <= more.length; i++) {
      var chunk = chunk(i);
      if (i <= older.more.length && older.chunk(i).cells == chunk.cells) continue;
      for (int place = 0; place < chunk.names.length; place++) {
        change(chunk.names[place], chunk.cells[place], older).forEach(changes::add);
      }
    }
    return changes;
  }

  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  private static List<ChannelChange> change(
      String name, @Nullable MemoryCell cell, MemoryCells older) {
    var old = older.cell(name);
    if (cell == null || old == cell) return List.of();
    return old == null
        ? SavedChannel.changes(List.of(), List.of(cell.saved(name)))
        : cell.since(old, name);
  }

  List<SavedChannel> saved() {
    var channels = new ArrayList<SavedChannel>();
    for (int i = 0; i <= more.length; i++) {
      var chunk = chunk(i);
      for (int place = 0; place < chunk.names.length; place++) {
        var cell = chunk.cells[place];
        if (cell != null) channels.add(cell.saved(chunk.names[place]));
      }
    }
    return channels;
  }

  /// Returns a copy that shares no log with another thread.
  ///
  /// @param logs the copies of the logs so far, by identity
  MemoryCells apart(Map<List<Json>, List<Json>> logs) {
    var copies = chunks();
    for (int i = 0; i < copies.length; i++) {
      copies[i] = copies[i].copy();
      var its = copies[i].cells;
      for (int place = 0; place < its.length; place++) {
        var cell = its[place];
        if (cell != null) its[place] = cell.apart(logs);
      }
    }
    return of(copies);
  }
}
