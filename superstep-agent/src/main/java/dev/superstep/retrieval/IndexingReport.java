package dev.superstep.retrieval;

import java.util.List;

/// What indexing did, by the ids of documents. Immutable.
///
/// @param added those that were new
/// @param updated those that had changed
/// @param skipped those that had not changed
/// @param repaired those whose chunks in the index were not what the records say
/// @param deleted those that were cleaned up
/// @param strayChunks ids of chunks that were removed because no record tells of them
public record IndexingReport(
    List<String> added,
    List<String> updated,
    List<String> skipped,
    List<String> repaired,
    List<String> deleted,
    List<String> strayChunks) {
  /// Copies the lists.
  public IndexingReport {
    added = List.copyOf(added);
    updated = List.copyOf(updated);
    skipped = List.copyOf(skipped);
    repaired = List.copyOf(repaired);
    deleted = List.copyOf(deleted);
    strayChunks = List.copyOf(strayChunks);
  }

  /// Whether nothing had to be done.
  public boolean isUnchanged() {
    return added.isEmpty()
        && updated.isEmpty()
        && repaired.isEmpty()
        && deleted.isEmpty()
        && strayChunks.isEmpty();
  }

  @Override
  public String toString() {
    return "%d added, %d updated, %d skipped, %d repaired, %d deleted, %d stray chunks removed"
        .formatted(
            added.size(),
            updated.size(),
            skipped.size(),
            repaired.size(),
            deleted.size(),
            strayChunks.size());
  }
}
