package dev.superstep.checkpoint;

import java.time.Instant;
import java.util.Optional;

/// A thread in a list: its newest checkpoint, and who is at work on it.
///
/// @param checkpoint of the thread's own graph
/// @param holder who holds the newest lease, if its time is not over
public record ThreadSummary(String thread, Checkpoint checkpoint, Optional<Holder> holder) {
  /// Who is at work on a thread.
  ///
  /// @param until when its lease ends, unless it is renewed
  public record Holder(String owner, Instant until) {}
}
