package dev.superstep.graph;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a [Parallel] is to do. Immutable.
///
/// @param concurrency how many items run at once
/// @param quorum how many must succeed; for [Policy#QUORUM]
record ParallelPlan<I>(List<I> items, int concurrency, Limits limits, Policy policy, int quorum) {
  /// What is done for an item.
  @FunctionalInterface
  interface Work<I, R> {
    R run(I item, NodeContext fork) throws Exception;
  }

  /// How long items may take.
  record Limits(@Nullable Duration item, @Nullable Duration total) {}

  /// When to stop early, and what is an error.
  enum Policy {
    FAIL_FAST,
    COLLECT_ALL,
    QUORUM,
    BEST_EFFORT
  }

  @Nullable Duration itemTimeout() {
    return limits.item();
  }

  @Nullable Duration totalTimeout() {
    return limits.total();
  }

  ParallelPlan<I> with(Policy other, int needed) {
    return new ParallelPlan<>(items, concurrency, limits, other, needed);
  }

  /// Whether what succeeded is enough, whatever the others do.
  boolean isEnough(int succeeded) {
    return policy == Policy.QUORUM && succeeded >= quorum;
  }

  /// Why what failed is too much, whatever the others do; null if it is not.
  ParallelFailed.@Nullable Reason failure(int failed) {
    return switch (policy) {
      case FAIL_FAST -> failed > 0 ? ParallelFailed.Reason.ITEM_FAILED : null;
      case QUORUM ->
          items.size() - failed < quorum ? ParallelFailed.Reason.TOO_FEW_SUCCEEDED : null;
      case COLLECT_ALL, BEST_EFFORT -> null;
    };
  }
}
