package dev.superstep.documents.ingestion;

import dev.superstep.json.SuperstepException;
import java.time.Duration;
import java.time.Instant;

/// Another ingestion is at work on the index. Nothing was changed.
public final class IngestionBusy extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String records;
  private final String owner;
  private final Instant until;

  IngestionBusy(String records, String owner, Instant until, Duration waited) {
    super(
        "documents.ingestion-busy",
        ("The index with the records `%s` is at work in %s, whose lease ends at %s unless it is"
                + " renewed; this call waited %s s. Call again later, or let the lease wait longer"
                + " (waitingUpTo).")
            .formatted(records, owner, until, waited.toSeconds()));
    this.records = records;
    this.owner = owner;
    this.until = until;
  }

  /// The namespace of the index's records.
  public String records() {
    return records;
  }

  /// The process that is at work.
  public String owner() {
    return owner;
  }

  /// When its lease ends, unless it is renewed.
  public Instant until() {
    return until;
  }
}
