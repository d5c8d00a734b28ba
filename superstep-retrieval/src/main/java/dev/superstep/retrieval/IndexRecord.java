package dev.superstep.retrieval;

import java.util.List;

/// The record of an indexed document. Immutable.
///
/// @param digest a hash of the document and of the splitter; empty while its chunks are being
///   written, so that a crash in between is detected
/// @param chunks the ids of the chunks that the index may have of it
public record IndexRecord(String document, String source, String digest, List<String> chunks) {
  /// Copies the list.
  public IndexRecord {
    chunks = List.copyOf(chunks);
  }
}
