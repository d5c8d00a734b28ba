package dev.superstep.graph.internal.replay;

import dev.superstep.run.Divergence;
import dev.superstep.run.ReplayResult;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The findings of a replay, in its graph and in subgraphs. Safe for many threads.
public final class ReplayFindings {
  private int agreed;
  private @Nullable Divergence divergence;
  private final Set<String> uncompared = new LinkedHashSet<>();

  synchronized void agreed() {
    agreed++;
  }

  /// Reports a difference, unless one was reported before.
  synchronized void diverged(Divergence found) {
    if (divergence == null) divergence = found;
  }

  public synchronized boolean isDiverged() {
    return divergence != null;
  }

  public synchronized void uncompared(String what) {
    uncompared.add(what);
  }

  public synchronized ReplayResult result() {
    return new ReplayResult(agreed, Optional.ofNullable(divergence), List.copyOf(uncompared));
  }
}
