package dev.superstep.checkpoint;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/// What the channels hold at one checkpoint, in the order of their names. A checkpoint shares its
/// names with those before it, and the cells that it did not change. Immutable.
final class MemoryCells {
  static final MemoryCells NONE = new MemoryCells(new String[0], new MemoryCell[0]);

  private final String[] names;
  private final MemoryCell[] cells;

  private MemoryCells(String[] names, MemoryCell[] cells) {
    this.names = names;
    this.cells = cells;
  }

  /// These, and what a commit changes.
  MemoryCells changed(List<ChannelChange> changes) {
    if (changes.isEmpty()) return this;
    var next = knowing(changes);
    if (next == this) next = new MemoryCells(names, cells.clone());
    for (var change : changes) {
      int place = next.place(change.name());
      next.cells[place] = MemoryCell.changed(change, next.cells[place]);
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
    var known = all.toArray(String[]::new);
    var more = new MemoryCells(known, new MemoryCell[known.length]);
    for (int i = 0; i < names.length; i++) more.cells[more.place(names[i])] = cells[i];
    return more;
  }

  private int place(String name) {
    return Arrays.binarySearch(names, name);
  }

  List<SavedChannel> saved() {
    var channels = new ArrayList<SavedChannel>(names.length);
    for (int i = 0; i < names.length; i++) channels.add(cells[i].saved(names[i]));
    return channels;
  }

  /// The same content, sharing no log with another thread.
  MemoryCells apart() {
    var copies = new MemoryCell[cells.length];
    for (int i = 0; i < cells.length; i++) copies[i] = cells[i].apart();
    return new MemoryCells(names, copies);
  }
}
