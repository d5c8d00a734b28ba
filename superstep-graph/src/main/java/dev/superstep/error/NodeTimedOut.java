package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.RetryHint;
import java.time.Duration;

/// A node took longer than its policy allows. Whatever it returns later is dropped.
public final class NodeTimedOut extends SuperstepException implements RetryHint {
  private final String node;
  private final Duration limit;
  private final boolean idle;

  public NodeTimedOut(String node, Duration limit, boolean idle) {
    super(
        "graph.node-timed-out",
        idle
            ? "Node `%s` gave no sign of life for %s. If it was at work, let it call"
                    .formatted(node, limit)
                + " `context.heartbeat()`, or raise its `idleTimeout`."
            : "Node `%s` did not return within %s. If it needs longer, raise its `timeout`."
                .formatted(node, limit));
    this.node = node;
    this.limit = limit;
    this.idle = idle;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The time limit that was exceeded.
  public Duration limit() {
    return limit;
  }

  /// Returns whether the node gave no sign of life for too long, rather than working for too long.
  public boolean isIdle() {
    return idle;
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
