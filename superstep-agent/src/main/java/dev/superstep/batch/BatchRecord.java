package dev.superstep.batch;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A batch as it is stored. Immutable.
///
/// @param key names it
/// @param ids of its requests
/// @param since when it entered its status; one that is older than a lease was left by its process
/// @param vendorId the vendor's id, once it is known
record BatchRecord(
    String key, List<String> ids, Status status, Instant since, Optional<String> vendorId) {
  /// The life of a batch.
  enum Status {
    /// Its requests are being collected. Nothing was sent.
    COLLECTING,
    /// It is being sent; whether it was is known to its process only.
    SUBMITTING,
    /// The vendor works on it.
    RUNNING,
    /// Its process left it before anything was sent.
    ABANDONED
  }

  BatchRecord {
    ids = List.copyOf(ids);
  }

  BatchRecord in(Status other, Instant now) {
    return new BatchRecord(key, ids, other, now, vendorId);
  }

  BatchRecord of(List<String> others, Instant now) {
    return new BatchRecord(key, others, Status.SUBMITTING, now, vendorId);
  }

  BatchRecord running(String id, Instant now) {
    return new BatchRecord(key, ids, Status.RUNNING, now, Optional.of(id));
  }
}
