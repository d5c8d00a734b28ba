package dev.superstep.graph.internal.kernel;

import dev.superstep.error.ParallelFailed;
import dev.superstep.node.NodeContext;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The items and limits of a [dev.superstep.graph.Parallel]. Immutable.
///
/// @param concurrency how many items run at once
/// @param quorum how many must succeed; for [Policy#QUORUM]
public record ParallelPlan<I>(
    List<I> items, int concurrency, Limits limits, Policy policy, int quorum) {
  /// The work to do for an item.
  @FunctionalInterface
  public interface Work<I, R> {
    R run(I item, NodeContext fork) throws Exception;
  }

  /// The time limits of each item and of all items together.
  public record Limits(@Nullable Duration item, @Nullable Duration total) {}

  /// When to stop early, and what is an error.
  public enum Policy {
    FAIL_FAST,
    COLLECT_ALL,
    QUORUM,
    BEST_EFFORT
  }

  public @Nullable Duration itemTimeout() {
    return limits.item();
  }

  public @Nullable Duration totalTimeout() {
    return limits.total();
  }

  public ParallelPlan<I> with(Policy other, int needed) {
    return new ParallelPlan<>(items, concurrency, limits, other, needed);
  }

  /// Returns whether enough items have succeeded, whatever the others do.
  public boolean isEnough(int succeeded) {
    return policy == Policy.QUORUM && succeeded >= quorum;
  }

  /// Why what failed is too much, whatever the others do; null if it is not.
  public ParallelFailed.@Nullable Reason failure(int failed) {
    return switch (policy) {
      case FAIL_FAST -> failed > 0 ? ParallelFailed.Reason.ITEM_FAILED : null;
      case QUORUM ->
          items.size() - failed < quorum ? ParallelFailed.Reason.TOO_FEW_SUCCEEDED : null;
      case COLLECT_ALL, BEST_EFFORT -> null;
    };
  }
}
