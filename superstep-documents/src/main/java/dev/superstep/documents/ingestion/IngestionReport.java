package dev.superstep.documents.ingestion;

import java.util.ArrayList;
import java.util.List;

/// The effects of an ingestion, by the ids of documents. Immutable.
///
/// @param added new documents
/// @param updated changed documents, or documents that are read or cut in another way now
/// @param skipped unchanged documents
/// @param repaired unchanged documents whose chunks were missing or possibly incomplete
/// @param deleted documents that the cleanup removed
/// @param failed documents that could not be loaded, and why
/// @param postponed documents beyond the limit of tokens
/// @param embeddedTokens how many tokens were embedded, about
public record IngestionReport(
    List<String> added,
    List<String> updated,
    List<String> skipped,
    List<String> repaired,
    List<String> deleted,
    List<Failure> failed,
    List<String> postponed,
    long embeddedTokens) {
  /// A document that could not be loaded.
  ///
  /// @param error the code of the error, or its class
  /// @param message for a person
  public record Failure(String document, String error, String message) {}

  /// Copies the lists.
  public IngestionReport {
    added = List.copyOf(added);
    updated = List.copyOf(updated);
    skipped = List.copyOf(skipped);
    repaired = List.copyOf(repaired);
    deleted = List.copyOf(deleted);
    failed = List.copyOf(failed);
    postponed = List.copyOf(postponed);
  }

  @Override
  public String toString() {
    var parts = new ArrayList<String>();
    addCount(parts, added, "added");
    addCount(parts, updated, "updated");
    addCount(parts, skipped, "skipped");
    addCount(parts, repaired, "repaired");
    addCount(parts, deleted, "deleted");
    addCount(parts, failed, "failed");
    addCount(parts, postponed, "postponed");
    return parts.isEmpty() ? "nothing to do" : String.join(", ", parts);
  }

  private static void addCount(List<String> parts, List<?> documents, String what) {
    if (!documents.isEmpty()) parts.add(documents.size() + " " + what);
  }
}
