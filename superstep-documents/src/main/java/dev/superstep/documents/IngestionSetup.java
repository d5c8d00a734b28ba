package dev.superstep.documents;

import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.VectorIndex;

/// The parts and limits of an ingestion. Immutable.
///
/// @param target the index and its records
/// @param reading the loader and the splitter
record IngestionSetup(
    Target target, Reading reading, int maxBytes, long tokenLimit, IngestionListener listener) {
  record Target(VectorIndex index, IndexRecords records) {}

  record Reading(DocumentLoader loader, StructureSplitter splitter) {}

  static IngestionSetup of(
      VectorIndex index, DocumentLoader loader, StructureSplitter splitter, IndexRecords records) {
    return new IngestionSetup(
        new Target(index, records),
        new Reading(loader, splitter),
        DocumentLimits.standard().maxBytes(),
        Long.MAX_VALUE,
        IngestionListener.NONE);
  }

  VectorIndex index() {
    return target.index();
  }

  IndexRecords records() {
    return target.records();
  }

  DocumentLoader loader() {
    return reading.loader();
  }

  StructureSplitter splitter() {
    return reading.splitter();
  }

  IngestionSetup withMaxBytes(int bytes) {
    if (bytes < 1) throw new IllegalArgumentException("maxBytes must be positive, was " + bytes);
    return new IngestionSetup(target, reading, bytes, tokenLimit, listener);
  }

  IngestionSetup withTokenLimit(long tokens) {
    return new IngestionSetup(target, reading, maxBytes, tokens, listener);
  }

  IngestionSetup withListener(IngestionListener other) {
    return new IngestionSetup(target, reading, maxBytes, tokenLimit, other);
  }
}
