package dev.superstep.retrieval;

import java.util.List;

/// What is known of a document in an index. Immutable.
///
/// @param digest of the document and of the way it was cut; empty while its chunks are being
///   written, so that a crash in between is seen
/// @param chunks the ids of the chunks that the index may have of it
public record IndexRecord(String document, String source, String digest, List<String> chunks) {
  /// Copies the list.
  public IndexRecord {
    chunks = List.copyOf(chunks);
  }
}
