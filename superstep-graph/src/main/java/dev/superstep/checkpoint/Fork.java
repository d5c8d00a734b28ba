package dev.superstep.checkpoint;

import java.util.List;

/// A new newest checkpoint that holds what an older one held.
///
/// @param source whose checkpoint that is
/// @param from the older checkpoint
/// @param target of the same thread, or of one that has nothing yet
/// @param made the new checkpoint
/// @param journal what is told with it
public record Fork(
    Lineage source, String from, Lineage target, Checkpoint made, List<Entry> journal) {
  public Fork {
    journal = List.copyOf(journal);
  }
}
