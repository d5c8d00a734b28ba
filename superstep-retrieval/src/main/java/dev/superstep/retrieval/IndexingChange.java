package dev.superstep.retrieval;

/// The effect of indexing on a document.
public enum IndexingChange {
  /// It was new.
  ADDED,
  /// It, or the way in which it is split, had changed: its chunks were replaced.
  UPDATED,
  /// It had not changed: nothing was embedded or written.
  SKIPPED,
  /// It had not changed, but its chunks in the index were missing, different, or possibly
  /// incomplete: they were written again.
  REPAIRED,
  /// It was removed by the cleanup.
  DELETED
}
