package dev.superstep.checkpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The contents of all channels at a checkpoint, in the order of their names. A checkpoint shares
/// its names with those before it, and also the chunks of cells in which it changed nothing.
/// Immutable.
final class MemoryCells {
  // Copied with each change in it; that many chunks are copied, too.
  private static final int CHUNK = 128;

  static final MemoryCells NONE = new MemoryCells(new String[0], new MemoryCell[0][]);

  private final String[] names;
  private final MemoryCell[][] chunks;

  private MemoryCells(String[] names, MemoryCell[][] chunks) {
    this.names = names;
    this.chunks = chunks;
  }

  /// With no cells yet.
  private static MemoryCells of(String[] names) {
    var chunks = new MemoryCell[(names.length + CHUNK - 1) / CHUNK][];
    for (int i = 0; i < chunks.length; i++) {
      chunks[i] = new MemoryCell[Math.min(CHUNK, names.length - i * CHUNK)];
    }
    return new MemoryCells(names, chunks);
  }

  private @Nullable MemoryCell cell(int place) {
    return chunks[place / CHUNK][place % CHUNK];
  }

  private void put(int place, MemoryCell cell) {
    chunks[place / CHUNK][place % CHUNK] = cell;
  }

  /// These, and what a commit changes.
  @SuppressWarnings("ReferenceEquality") // whether a chunk is still shared
  MemoryCells changed(List<ChannelChange> changes) {
    if (changes.isEmpty()) return this;
    var next = knowing(changes);
    if (next == this) next = new MemoryCells(names, chunks.clone());
    for (var change : changes) {
      int place = next.place(change.name());
      int chunk = place / CHUNK;
      if (next.names == names && next.chunks[chunk] == chunks[chunk]) {
        next.chunks[chunk] = chunks[chunk].clone();
      }
      next.put(place, MemoryCell.changed(change, next.cell(place)));
    }
    return next;
  }

  /// With an empty cell for each channel that is new here; this, if there is none.
  private MemoryCells knowing(List<ChannelChange> changes) {
    boolean isComplete = true;
    for (var change : changes) isComplete &= place(change.name()) >= 0;
    if (isComplete) return this;
    var all = new TreeSet<>(List.of(names));
    for (var change : changes) all.add(change.name());
    var more = of(all.toArray(String[]::new));
    for (int i = 0; i < names.length; i++) {
      var known = cell(i);
      if (known != null) more.put(more.place(names[i]), known);
    }
    return more;
  }

  private int place(String name) {
    return Arrays.binarySearch(names, name);
  }

  /// Returns the changes that turn older cells into these.
  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  List<ChannelChange> since(MemoryCells older) {
    var changes = new ArrayList<ChannelChange>();
    for (int i = 0; i < chunks.length; i++) {
      if (older.names == names && older.chunks[i] == chunks[i]) continue;
      for (int j = 0; j < chunks[i].length; j++) {
        int place = i * CHUNK + j;
        change(names[place], chunks[i][j], older).forEach(changes::add);
      }
    }
    return changes;
  }

  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  private static List<ChannelChange> change(String name, MemoryCell cell, MemoryCells older) {
    int place = older.place(name);
    var old = place < 0 ? null : older.cell(place);
    if (old == cell) return List.of();
    return old == null
        ? SavedChannel.changes(List.of(), List.of(cell.saved(name)))
        : cell.since(old, name);
  }

  List<SavedChannel> saved() {
    var channels = new ArrayList<SavedChannel>(names.length);
    for (int i = 0; i < names.length; i++) {
      var cell = cell(i);
      if (cell != null) channels.add(cell.saved(names[i]));
    }
    return channels;
  }

  /// Returns a copy that shares no log with another thread.
  MemoryCells apart() {
    var copy = of(names);
    for (int i = 0; i < names.length; i++) {
      var cell = cell(i);
      if (cell != null) copy.put(i, cell.apart());
    }
    return copy;
  }
}
