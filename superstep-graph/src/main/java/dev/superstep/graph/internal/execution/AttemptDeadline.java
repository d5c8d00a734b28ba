package dev.superstep.graph.internal.execution;

import dev.superstep.error.NodeTimedOut;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Knows how long an attempt at a node may still take. Safe for many threads.
public final class AttemptDeadline {
  private final @Nullable AttemptDeadline outer;
  private final @Nullable Duration limit;
  private final @Nullable Duration idleLimit;
  private final long began;
  private final long most;
  private final long mostIdle;
  private volatile long lastSign;
  private volatile boolean over;

  /// @param limit for the whole attempt
  /// @param idleLimit for the time between two signs of life
  public AttemptDeadline(@Nullable Duration limit, @Nullable Duration idleLimit, long now) {
    this(null, limit, idleLimit, now);
  }

  /// Over a part of what another watches, which may be nothing.
  AttemptDeadline(@Nullable AttemptDeadline outer, @Nullable Duration limit, long now) {
    this(outer, limit, null, now);
  }

  private AttemptDeadline(
      @Nullable AttemptDeadline outer,
      @Nullable Duration limit,
      @Nullable Duration idleLimit,
      long now) {
    this.outer = outer;
    this.limit = limit;
    this.idleLimit = idleLimit;
    this.began = now;
    this.most = RunLimits.nanos(limit);
    this.mostIdle = RunLimits.nanos(idleLimit);
    this.lastSign = now;
  }

  /// The node is alive.
  public void sign(long now) {
    lastSign = now;
    if (outer != null) outer.sign(now);
  }

  /// Returns the time left for the attempt; 0 or less once it took too long.
  public long nanosLeft(long now) {
    return Math.min(left(most, now - began), left(mostIdle, now - lastSign));
  }

  /// Why the attempt took too long.
  public NodeTimedOut error(String node, long now) {
    boolean idle = left(most, now - began) > 0;
    var passed = Objects.requireNonNullElse(idle ? idleLimit : limit, Duration.ZERO);
    return new NodeTimedOut(node, passed, idle);
  }

  /// Nobody waits for the attempt any more.
  void giveUp() {
    over = true;
  }

  boolean isOver() {
    return over || (outer != null && outer.isOver());
  }

  private static long left(long most, long spent) {
    return most == Long.MAX_VALUE ? Long.MAX_VALUE : most - spent;
  }
}
