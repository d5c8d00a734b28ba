package dev.superstep.retrieval;

/// What indexing did with a document.
public enum IndexingChange {
  /// It was new.
  ADDED,
  /// It had changed, or is cut in another way now: its chunks were replaced.
  UPDATED,
  /// It had not changed: nothing was embedded or written.
  SKIPPED,
  /// It had not changed, but its chunks in the index were gone, others, or not known to be whole:
  /// they were put again.
  REPAIRED,
  /// It was cleaned up.
  DELETED
}
