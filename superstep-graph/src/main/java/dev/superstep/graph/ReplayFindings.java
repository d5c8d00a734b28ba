package dev.superstep.graph;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a replay finds, in its graph and in those inside. Safe for many threads.
final class ReplayFindings {
  private int agreed;
  private @Nullable Divergence divergence;
  private final Set<String> uncompared = new LinkedHashSet<>();

  synchronized void agreed() {
    agreed++;
  }

  /// The first one stands.
  synchronized void diverged(Divergence found) {
    if (divergence == null) divergence = found;
  }

  synchronized boolean isDiverged() {
    return divergence != null;
  }

  synchronized void uncompared(String what) {
    uncompared.add(what);
  }

  synchronized ReplayResult result() {
    return new ReplayResult(agreed, Optional.ofNullable(divergence), List.copyOf(uncompared));
  }
}
