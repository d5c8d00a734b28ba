package dev.superstep.retrieval;

import java.util.ArrayList;
import java.util.List;

/// The effects of an indexing run, by the ids of documents. Immutable.
///
/// @param added new documents
/// @param updated changed documents
/// @param skipped unchanged documents
/// @param repaired documents whose chunks in the index did not match their records
/// @param deleted documents that the cleanup removed
/// @param strayChunks ids of removed chunks that had no record
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

  /// Returns whether the run changed nothing.
  public boolean isUnchanged() {
    return added.isEmpty()
        && updated.isEmpty()
        && repaired.isEmpty()
        && deleted.isEmpty()
        && strayChunks.isEmpty();
  }

  @Override
  public String toString() {
    var parts = new ArrayList<String>();
    addCount(parts, added, "added");
    addCount(parts, updated, "updated");
    addCount(parts, skipped, "skipped");
    addCount(parts, repaired, "repaired");
    addCount(parts, deleted, "deleted");
    addCount(parts, strayChunks, "stray chunks removed");
    return parts.isEmpty() ? "nothing to do" : String.join(", ", parts);
  }

  private static void addCount(List<String> parts, List<String> ids, String what) {
    if (!ids.isEmpty()) parts.add(ids.size() + " " + what);
  }
}
