package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The contents of all channels at a checkpoint, in the order of their names. A checkpoint shares
/// with those before it the chunks in which it changed nothing, and the names of the others.
/// Immutable.
final class MemoryCells {
  // Copied with each change in it; that many chunks are copied, too.
  private static final int CHUNK = 128;

  static final MemoryCells NONE = new MemoryCells(new Chunk[0]);

  private final Chunk[] chunks;

  /// Neighbours. Not empty.
  private static final class Chunk {
    private final String[] names;
    private final @Nullable MemoryCell[] cells;

    Chunk(String[] names, @Nullable MemoryCell[] cells) {
      this.names = names;
      this.cells = cells;
    }

    Chunk copy() {
      return new Chunk(names, cells.clone());
    }

    int place(String name) {
      return Arrays.binarySearch(names, name);
    }
  }

  private MemoryCells(Chunk[] chunks) {
    this.chunks = chunks;
  }

  /// These, and what a commit changes.
  MemoryCells changed(List<ChannelChange> changes) {
    if (changes.isEmpty()) return this;
    var next = new MemoryCells(knowing(changes));
    var own = new boolean[next.chunks.length];
    for (var change : changes) {
      int at = next.chunk(change.name());
      if (!own[at]) next.chunks[at] = next.chunks[at].copy();
      own[at] = true;
      var chunk = next.chunks[at];
      int place = chunk.place(change.name());
      chunk.cells[place] = MemoryCell.changed(change, chunk.cells[place]);
    }
    return next;
  }

  /// A copy of the chunks, with an empty cell for each channel that is new here.
  private Chunk[] knowing(List<ChannelChange> changes) {
    var added = new TreeSet<String>();
    for (var change : changes) {
      int at = chunk(change.name());
      if (at < 0 || chunks[at].place(change.name()) < 0) added.add(change.name());
    }
    if (added.isEmpty()) return chunks.clone();
    if (chunks.length == 0) return split(added.toArray(String[]::new)).toArray(Chunk[]::new);
    var all = new ArrayList<Chunk>();
    for (int i = 0; i < chunks.length; i++) {
      var end = i + 1 == chunks.length ? null : chunks[i + 1].names[0];
      if (added.isEmpty() || (end != null && added.first().compareTo(end) >= 0)) {
        all.add(chunks[i]);
        continue;
      }
      var more = end == null ? added : added.headSet(end);
      all.addAll(split(with(more, chunks[i].names)));
      more.clear();
    }
    return all.toArray(Chunk[]::new);
  }

  private static String[] with(SortedSet<String> more, String[] names) {
    var all = Arrays.copyOf(names, names.length + more.size());
    int end = names.length;
    for (var name : more) all[end++] = name;
    Arrays.sort(all);
    return all;
  }

  /// Chunks of about one size, with the cells that are there.
  private List<Chunk> split(String[] names) {
    int parts = (names.length + CHUNK - 1) / CHUNK;
    var split = new ArrayList<Chunk>(parts);
    for (int i = 0; i < parts; i++) {
      var part =
          Arrays.copyOfRange(names, names.length * i / parts, names.length * (i + 1) / parts);
      var cells = new @Nullable MemoryCell[part.length];
      for (int place = 0; place < cells.length; place++) cells[place] = cell(part[place]);
      split.add(new Chunk(part, cells));
    }
    return split;
  }

  /// The chunk in which a name is, or would be; -1 if there is none.
  private int chunk(String name) {
    int low = 0;
    int high = chunks.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (chunks[middle].names[0].compareTo(name) <= 0) low = middle;
      else high = middle - 1;
    }
    return high < 0 ? -1 : low;
  }

  private @Nullable MemoryCell cell(String name) {
    int at = chunk(name);
    int place = at < 0 ? -1 : chunks[at].place(name);
    return place < 0 ? null : chunks[at].cells[place];
  }

  /// Returns the changes that turn older cells into these.
  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  List<ChannelChange> since(MemoryCells older) {
    var changes = new ArrayList<ChannelChange>();
    for (int i = 0; i < chunks.length; i++) {
      var chunk = chunks[i];
      if (i < older.chunks.length && older.chunks[i] == chunk) continue;
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
    for (var chunk : chunks) {
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
    var copies = new Chunk[chunks.length];
    for (int i = 0; i < chunks.length; i++) {
      copies[i] = chunks[i].copy();
      var cells = copies[i].cells;
      for (int place = 0; place < cells.length; place++) {
        var cell = cells[place];
        if (cell != null) cells[place] = cell.apart(logs);
      }
    }
    return new MemoryCells(copies);
  }
}
