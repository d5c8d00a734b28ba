package dev.superstep.retrieval;

/// The chunks that an [Indexer] removes, besides the old chunks of changed documents.
public enum Cleanup {
  /// None: documents that are not passed stay.
  NONE,
  /// Those of documents that are not passed, but have the same source as one that is. For sources
  /// that are always passed whole.
  BY_SOURCE,
  /// Those of all documents that are not passed, and chunks without a record. For callers that pass
  /// all documents; if they pass none, the index is empty afterwards.
  FULL
}
