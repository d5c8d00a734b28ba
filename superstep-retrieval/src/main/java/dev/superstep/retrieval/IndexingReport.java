package dev.superstep.retrieval;

import java.util.ArrayList;
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
    var parts = new ArrayList<String>();
    tell(parts, added, "added");
    tell(parts, updated, "updated");
    tell(parts, skipped, "skipped");
    tell(parts, repaired, "repaired");
    tell(parts, deleted, "deleted");
    tell(parts, strayChunks, "stray chunks removed");
    return parts.isEmpty() ? "nothing to do" : String.join(", ", parts);
  }

  private static void tell(List<String> parts, List<String> ids, String what) {
    if (!ids.isEmpty()) parts.add(ids.size() + " " + what);
  }
}
