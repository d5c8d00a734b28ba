package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.RetryHint;

/// A node came up more often than its policy lets it in one run.
public final class VisitLimitReached extends SuperstepException implements RetryHint {
  private final String node;
  private final int limit;

  public VisitLimitReached(String node, int limit) {
    super(
        "graph.visit-limit",
        "Node `%s` had its %d visits of this run. If the loop is meant, raise its `visits`, or say with `onFailure` what follows."
            .formatted(node, limit));
    this.node = node;
    this.limit = limit;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The number of times that the node may run.
  public int limit() {
    return limit;
  }

  @Override
  public boolean isRetryable() {
    return false;
  }
}
