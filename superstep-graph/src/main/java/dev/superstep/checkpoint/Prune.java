package dev.superstep.checkpoint;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// The choice of the checkpoints of a thread to delete. The remaining ones do not depend on them.
///
/// @param keep so many of the newest stay, at least 1; counted for the graph and for each graph
///   that it remembers apart
/// @param before only what is older than this goes, if it is given
/// @param needed memories that stay, because checkpoints in another store name them
public record Prune(int keep, Optional<Instant> before, Set<Memory> needed) {
  public Prune {
    needed = Set.copyOf(needed);
    if (keep < 1) throw new IllegalArgumentException("keep must be at least 1, was " + keep);
  }

  /// All but so many of the newest.
  public static Prune keepLast(int keep) {
    return new Prune(keep, Optional.empty(), Set.of());
  }

  /// Returns a copy that deletes only what is older than this.
  public Prune olderThan(Instant time) {
    return new Prune(keep, Optional.of(time), needed);
  }

  /// Returns a copy that also retains these memories.
  public Prune needing(Set<Memory> memories) {
    return new Prune(keep, before, memories);
  }
}
