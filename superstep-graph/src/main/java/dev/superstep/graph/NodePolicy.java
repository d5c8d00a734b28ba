package dev.superstep.graph;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What is done about a node that fails or takes too long. What is not set is as in the graph's
/// defaults; what is not set there either is: one attempt, no limit of time, and the run fails.
/// Immutable; each method returns a changed copy.
///
/// ```java
/// NodePolicy.defaults().retry(Retry.of(4)).timeout(Duration.ofSeconds(20))
/// ```
public final class NodePolicy {
  private static final NodePolicy NOTHING = new NodePolicy(null, null, null, null, null);

  private final @Nullable Retry retry;
  private final @Nullable Duration timeout;
  private final @Nullable Duration idleTimeout;
  private final @Nullable OnFailure onFailure;
  private final @Nullable Integer concurrency;

  private NodePolicy(
      @Nullable Retry retry,
      @Nullable Duration timeout,
      @Nullable Duration idleTimeout,
      @Nullable OnFailure onFailure,
      @Nullable Integer concurrency) {
    this.retry = retry;
    this.timeout = timeout;
    this.idleTimeout = idleTimeout;
    this.onFailure = onFailure;
    this.concurrency = concurrency;
  }

  /// Nothing of its own.
  public static NodePolicy defaults() {
    return NOTHING;
  }

  /// Tries a failed node again, from its start and on the same snapshot. What failed attempts would
  /// have written is gone.
  public NodePolicy retry(Retry retry) {
    return new NodePolicy(retry, timeout, idleTimeout, onFailure, concurrency);
  }

  /// How long one attempt may take. Then its thread is interrupted and the attempt fails with
  /// [NodeTimedOut], which is worth another attempt; a node that ignores the interruption is left
  /// behind, and what it does later is dropped.
  ///
  /// A node with a limit of time runs on a thread of its own.
  public NodePolicy timeout(Duration most) {
    return new NodePolicy(retry, positive("timeout", most), idleTimeout, onFailure, concurrency);
  }

  /// Like [#timeout], but counted anew from each [NodeContext#heartbeat] and [NodeContext#emit].
  public NodePolicy idleTimeout(Duration most) {
    return new NodePolicy(retry, timeout, positive("idleTimeout", most), onFailure, concurrency);
  }

  /// What happens when the last attempt has failed.
  public NodePolicy onFailure(OnFailure then) {
    return new NodePolicy(retry, timeout, idleTimeout, then, concurrency);
  }

  /// How many tasks of the node may run at once in a superstep.
  public NodePolicy concurrency(int tasks) {
    if (tasks < 1) {
      throw new IllegalArgumentException("concurrency must be at least 1, was " + tasks);
    }
    return new NodePolicy(retry, timeout, idleTimeout, onFailure, tasks);
  }

  /// This policy, with what is not set in it from another.
  NodePolicy or(NodePolicy other) {
    return new NodePolicy(
        retry != null ? retry : other.retry,
        timeout != null ? timeout : other.timeout,
        idleTimeout != null ? idleTimeout : other.idleTimeout,
        onFailure != null ? onFailure : other.onFailure,
        concurrency != null ? concurrency : other.concurrency);
  }

  /// Whether it asks for nothing that a node without a policy has not.
  boolean isPlain() {
    return retry == null
        && !isTimed()
        && onFailure() instanceof OnFailure.Abort
        && concurrency == null;
  }

  /// Whether an attempt has limited time.
  boolean isTimed() {
    return timeout != null || idleTimeout != null;
  }

  @Nullable Retry retry() {
    return retry;
  }

  @Nullable Duration timeout() {
    return timeout;
  }

  @Nullable Duration idleTimeout() {
    return idleTimeout;
  }

  OnFailure onFailure() {
    return onFailure == null ? OnFailure.abort() : onFailure;
  }

  /// How many tasks may run at once; unlimited unless set.
  int concurrency() {
    return concurrency == null ? Integer.MAX_VALUE : concurrency;
  }

  private static Duration positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
    return value;
  }
}
