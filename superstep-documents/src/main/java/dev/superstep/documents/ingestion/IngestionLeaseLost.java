package dev.superstep.documents.ingestion;

import dev.superstep.json.SuperstepException;

/// An ingestion lost its lease: it was suspended for longer than the lease lasts, or its store did
/// not answer, and another ingestion may have begun. The documents that it had finished stay
/// indexed.
public final class IngestionLeaseLost extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String records;

  IngestionLeaseLost(String records) {
    super(
        "documents.ingestion-lease-lost",
        ("The lease of the index with the records `%s` ended during an ingestion, and another one"
                + " may be at work. Call again; what is done is skipped. If the process may be"
                + " suspended for so long, let the lease last longer (lasting).")
            .formatted(records));
    this.records = records;
  }

  /// The namespace of the index's records.
  public String records() {
    return records;
  }
}
