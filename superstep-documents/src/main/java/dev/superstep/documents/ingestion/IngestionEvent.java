package dev.superstep.documents.ingestion;

import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexingChange;
import java.time.Duration;

/// Something that happened in an ingestion. Tells ids, counts and times, and never texts.
/// Immutable.
public sealed interface IngestionEvent {
  /// Documents are to be ingested.
  record IngestionStarted(Cleanup cleanup) implements IngestionEvent {}

  /// A document was brought up to date, was found to be so, or was removed.
  ///
  /// @param chunks how many it has in the index now
  /// @param tokens how many were embedded
  record DocumentIngested(String document, IndexingChange change, int chunks, long tokens)
      implements IngestionEvent {}

  /// A document could not be loaded. Its old chunks stay.
  ///
  /// @param error the code of the error, or its class
  record DocumentNotLoaded(String document, String error) implements IngestionEvent {}

  /// A document was left for the next call by the limit of tokens.
  record DocumentPostponed(String document) implements IngestionEvent {}

  /// All documents were ingested, reported as failed, or postponed.
  record IngestionCompleted(IngestionReport report, Duration took) implements IngestionEvent {}

  /// The ingestion ended early. The same call again does the rest.
  ///
  /// @param error the code of the error, or its class
  record IngestionFailed(String error) implements IngestionEvent {}

  /// The name by which it goes in logs.
  default String kind() {
    return switch (this) {
      case IngestionStarted _ -> "ingestion.started";
      case DocumentIngested _ -> "ingestion.document";
      case DocumentNotLoaded _ -> "ingestion.document_not_loaded";
      case DocumentPostponed _ -> "ingestion.document_postponed";
      case IngestionCompleted _ -> "ingestion.completed";
      case IngestionFailed _ -> "ingestion.failed";
    };
  }
}
