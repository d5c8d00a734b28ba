package dev.superstep.checkpoint;

import java.util.List;

/// A new newest checkpoint with the content of an older one.
///
/// @param source whose checkpoint that is
/// @param from the older checkpoint
/// @param target of the same thread, or of one that has nothing yet
/// @param made the new checkpoint
/// @param journal the journal entries saved with it
public record Fork(
    Lineage source, String from, Lineage target, Checkpoint made, List<Entry> journal) {
  public Fork {
    journal = List.copyOf(journal);
  }
}
