package dev.superstep.graph;

import dev.superstep.graph.internal.kernel.PolicySettings;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Rate;
import dev.superstep.node.Retry;
import java.time.Duration;
import java.util.function.Consumer;

/// The handling of a node that fails, takes too long, runs too often or has run before. A setting
/// that is absent comes from the graph's defaults; absent there too, it is: one attempt, no time
/// limit, and the run fails. Immutable; each method returns a changed copy.
///
/// ```java
/// NodePolicy.defaults().retry(Retry.of(4)).timeout(Duration.ofSeconds(20))
/// ```
public final class NodePolicy {
  private static final NodePolicy NOTHING = new NodePolicy(PolicySettings.NOTHING);

  private final PolicySettings settings;

  private NodePolicy(PolicySettings settings) {
    this.settings = settings;
  }

  /// Nothing of its own.
  public static NodePolicy defaults() {
    return NOTHING;
  }

  /// Retries a failed node, from its start and on the same snapshot. The writes of failed attempts
  /// are lost.
  public NodePolicy retry(Retry retry) {
    return with(p -> p.retry = retry);
  }

  /// Limits the time of one attempt. When it is over, the thread is interrupted and the attempt
  /// fails with [dev.superstep.error.NodeTimedOut], which is worth another attempt; a node that
  /// ignores the interruption is abandoned, and whatever it does later is dropped.
  ///
  /// A node with a limit of time runs on a thread of its own.
  public NodePolicy timeout(Duration most) {
    positive("timeout", most);
    return with(p -> p.timeout = most);
  }

  /// Like [#timeout], but restarted by each [dev.superstep.node.NodeContext#heartbeat] and
  /// [dev.superstep.node.NodeContext#emit].
  public NodePolicy idleTimeout(Duration most) {
    positive("idleTimeout", most);
    return with(p -> p.idleTimeout = most);
  }

  /// Sets the handling of a failure after the last attempt.
  public NodePolicy onFailure(OnFailure then) {
    return with(p -> p.onFailure = then);
  }

  /// Limits how many tasks of the node may run at once in a superstep.
  public NodePolicy concurrency(int tasks) {
    if (tasks < 1) {
      throw new IllegalArgumentException("concurrency must be at least 1, was " + tasks);
    }
    return with(p -> p.concurrency = tasks);
  }

  /// Which tasks of a superstep begin first when not all can at once: those with the higher number,
  /// then those that come first in task order. 0 unless set. The result does not depend on it.
  public NodePolicy priority(int priority) {
    return with(p -> p.priority = priority);
  }

  /// Limits how often the node may begin in a run, retries included. Tasks that come too early
  /// wait; those of other nodes are not delayed.
  public NodePolicy rate(Rate rate) {
    return with(p -> p.rate = rate);
  }

  /// Uses a fitting result of an earlier run of the node, if the run has a cache; see
  /// [RunOptions#cache].
  public NodePolicy cache(CachePolicy cache) {
    return with(p -> p.cache = cache);
  }

  /// Limits how many tasks of the node a run may have, over all supersteps; unlimited unless set.
  /// One more fails with [dev.superstep.error.VisitLimitReached], without another attempt;
  /// [#onFailure] decides what follows. Retries are not visits. A resumed run starts counting
  /// again.
  public NodePolicy visits(int most) {
    if (most < 1) throw new IllegalArgumentException("visits must be at least 1, was " + most);
    return with(p -> p.visits = most);
  }

  /// The policy as the engine knows it.
  PolicySettings settings() {
    return settings;
  }

  private NodePolicy with(Consumer<PolicySettings> change) {
    return new NodePolicy(settings.with(change));
  }

  private static void positive(String name, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }

  @Override
  public String toString() {
    return "NodePolicy" + settings.changed();
  }
}
