package dev.superstep.documents.ingestion;

import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.VectorIndex;
import java.util.Optional;

/// The parts and limits of an ingestion. Immutable.
///
/// @param target the index, its records, and the right to change them
/// @param reading the loader and the splitter
record IngestionSetup(
    Target target, Reading reading, int maxBytes, long tokenLimit, IngestionListener listener) {
  record Target(VectorIndex index, IndexRecords records, Optional<IngestionLease> lease) {}

  record Reading(DocumentLoader loader, StructureSplitter splitter) {}

  static IngestionSetup of(
      VectorIndex index, DocumentLoader loader, StructureSplitter splitter, IndexRecords records) {
    return new IngestionSetup(
        new Target(index, records, Optional.empty()),
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

  Optional<IngestionLease> lease() {
    return target.lease();
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

  IngestionSetup withLease(IngestionLease lease) {
    var leased = new Target(target.index(), target.records(), Optional.of(lease));
    return new IngestionSetup(leased, reading, maxBytes, tokenLimit, listener);
  }

  IngestionSetup withListener(IngestionListener other) {
    return new IngestionSetup(target, reading, maxBytes, tokenLimit, other);
  }
}
