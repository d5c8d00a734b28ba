package dev.superstep.checkpoint;

import dev.superstep.json.InvalidName;

/// The right to write to a thread. Given by [Checkpointer#acquire]; a store refuses writes that
/// show an older lease. Immutable.
///
/// @param thread what may be written
/// @param owner who holds it, as a person would name the process
/// @param token grows with every lease that a store gives, and is never given twice
public record Lease(String thread, String owner, long token) {
  public Lease {
    InvalidName.check("Owner", owner);
  }
}
