package dev.superstep.graph.internal.kernel;

import dev.superstep.node.CachePolicy;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Rate;
import dev.superstep.node.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The settings behind `NodePolicy`, which checks its arguments: the handling of a node that fails,
/// takes too long, runs too often or has run before. Not changed once it was made: each change is
/// made to a copy.
public final class PolicySettings {
  public static final PolicySettings NOTHING = new PolicySettings();

  public @Nullable Retry retry;
  public @Nullable Duration timeout;
  public @Nullable Duration idleTimeout;
  public @Nullable OnFailure onFailure;
  public @Nullable Integer concurrency;
  public @Nullable Integer priority;
  public @Nullable Rate rate;
  public @Nullable CachePolicy cache;
  public @Nullable Integer visits;

  private PolicySettings() {}

  /// This policy, with what is not set in it from another.
  PolicySettings or(PolicySettings other) {
    return with(p -> {
      if (retry == null) p.retry = other.retry;
      if (timeout == null) p.timeout = other.timeout;
      if (idleTimeout == null) p.idleTimeout = other.idleTimeout;
      if (onFailure == null) p.onFailure = other.onFailure;
      if (concurrency == null) p.concurrency = other.concurrency;
      if (priority == null) p.priority = other.priority;
      if (rate == null) p.rate = other.rate;
      if (cache == null) p.cache = other.cache;
      if (visits == null) p.visits = other.visits;
    });
  }

  /// Returns whether a node with this policy behaves like one without a policy.
  public boolean isPlain() {
    return retry == null
        && !isTimed()
        && onFailure() instanceof OnFailure.Abort
        && concurrency == null
        && priority() == 0
        && rate == null
        && cache == null
        && visits == null;
  }

  /// Returns whether an attempt has limited time.
  public boolean isTimed() {
    return timeout != null || idleTimeout != null;
  }

  public @Nullable Retry retry() {
    return retry;
  }

  public @Nullable Duration timeout() {
    return timeout;
  }

  public @Nullable Duration idleTimeout() {
    return idleTimeout;
  }

  public OnFailure onFailure() {
    return onFailure == null ? OnFailure.abort() : onFailure;
  }

  /// The number of tasks that may run at once; unlimited unless set.
  public int concurrency() {
    return concurrency == null ? Integer.MAX_VALUE : concurrency;
  }

  public int priority() {
    return priority == null ? 0 : priority;
  }

  public @Nullable Rate rate() {
    return rate;
  }

  public @Nullable CachePolicy cache() {
    return cache;
  }

  /// The number of tasks of the node that a run may have; unlimited unless set.
  public int visits() {
    return visits == null ? Integer.MAX_VALUE : visits;
  }

  /// Returns a copy with a change.
  public PolicySettings with(Consumer<PolicySettings> change) {
    var copy = new PolicySettings();
    copy.retry = retry;
    copy.timeout = timeout;
    copy.idleTimeout = idleTimeout;
    copy.onFailure = onFailure;
    copy.concurrency = concurrency;
    copy.priority = priority;
    copy.rate = rate;
    copy.cache = cache;
    copy.visits = visits;
    change.accept(copy);
    return copy;
  }

  /// Returns the parts that are set.
  public List<String> changed() {
    var parts = new ArrayList<String>();
    add(parts, "retry", retry);
    add(parts, "timeout", timeout);
    add(parts, "idleTimeout", idleTimeout);
    add(parts, "onFailure", onFailure == null ? null : onFailure.getClass().getSimpleName());
    add(parts, "concurrency", concurrency);
    add(parts, "priority", priority);
    add(parts, "rate", rate);
    add(parts, "cache", cache);
    add(parts, "visits", visits);
    return parts;
  }

  private static void add(List<String> parts, String name, @Nullable Object value) {
    if (value != null) parts.add(name + "=" + value);
  }
}
