package dev.superstep.graph;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is done about a node that fails, takes too long, comes too often, or has run before, behind
/// `NodePolicy`, which checks what it is given. Not changed once it was made: each change is one to
/// a copy.
final class PolicySettings {
  static final PolicySettings NOTHING = new PolicySettings();

  @Nullable Retry retry;
  @Nullable Duration timeout;
  @Nullable Duration idleTimeout;
  @Nullable OnFailure onFailure;
  @Nullable Integer concurrency;
  @Nullable Integer priority;
  @Nullable Rate rate;
  @Nullable CachePolicy cache;
  @Nullable Integer visits;

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

  /// Whether it asks for nothing that a node without a policy has not.
  boolean isPlain() {
    return retry == null
        && !isTimed()
        && onFailure() instanceof OnFailure.Abort
        && concurrency == null
        && priority() == 0
        && rate == null
        && cache == null
        && visits == null;
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

  int priority() {
    return priority == null ? 0 : priority;
  }

  @Nullable Rate rate() {
    return rate;
  }

  @Nullable CachePolicy cache() {
    return cache;
  }

  /// How many tasks of the node a run may have; unlimited unless set.
  int visits() {
    return visits == null ? Integer.MAX_VALUE : visits;
  }

  /// The same with a change.
  PolicySettings with(Consumer<PolicySettings> change) {
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
}
