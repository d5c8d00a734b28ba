package dev.superstep.retrieval;

/// What an [Indexer] removes besides the old chunks of documents that changed.
public enum Cleanup {
  /// Nothing: documents that are not given stay.
  NONE,
  /// Documents that are not given, but come from the source of one that is. For sources that are
  /// given whole.
  BY_SOURCE,
  /// All that is not given, and chunks that no record tells of. For callers that give all there is;
  /// given nothing, the index is empty afterwards.
  FULL
}
