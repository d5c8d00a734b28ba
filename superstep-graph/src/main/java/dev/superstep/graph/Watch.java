package dev.superstep.graph;

import java.time.Duration;
import java.util.Objects;

/// Knows how long an attempt at a node may still take. Safe for many threads.
final class Watch {
  private final NodePolicy policy;
  private final long began;
  private final long most;
  private final long mostIdle;
  private volatile long lastSign;
  private volatile boolean over;

  Watch(NodePolicy policy, long now) {
    this.policy = policy;
    this.began = now;
    this.most = Allowance.nanos(policy.timeout());
    this.mostIdle = Allowance.nanos(policy.idleTimeout());
    this.lastSign = now;
  }

  /// The node is alive.
  void sign(long now) {
    lastSign = now;
  }

  /// What the attempt may still take; 0 or less once it took too long.
  long nanosLeft(long now) {
    return Math.min(left(most, now - began), left(mostIdle, now - lastSign));
  }

  /// Why the attempt took too long.
  NodeTimedOut error(String node, long now) {
    boolean idle = left(most, now - began) > 0;
    var limit =
        Objects.requireNonNullElse(idle ? policy.idleTimeout() : policy.timeout(), Duration.ZERO);
    return new NodeTimedOut(node, limit, idle);
  }

  /// Nobody waits for the attempt any more.
  void giveUp() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  private static long left(long most, long spent) {
    return most == Long.MAX_VALUE ? Long.MAX_VALUE : most - spent;
  }
}
