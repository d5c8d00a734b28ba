package dev.superstep.graph;

import dev.superstep.graph.internal.execution.ParallelExecution;
import dev.superstep.graph.internal.execution.TaskContext;
import dev.superstep.graph.internal.kernel.ParallelPlan;
import dev.superstep.graph.internal.kernel.ParallelPlan.Limits;
import dev.superstep.graph.internal.kernel.ParallelPlan.Policy;
import dev.superstep.json.Codec;
import dev.superstep.node.ItemResults;
import dev.superstep.node.NodeContext;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Does something for several items at once inside a node, each on a virtual thread of its own:
///
/// ```java
/// var prices = Parallel.over(shops).concurrency(8).itemTimeout(Duration.ofSeconds(5))
///     .map(context, (shop, fork) -> shop.price(book));
/// ```
///
/// - **Forks.** Each item is given a context of its own, and uses no other: it has its own
///   [NodeContext#task], random numbers, steps and questions, and shares all else with its node.
///   Forks of forks work alike.
/// - **Questions.** When items ask, the others are waited for; then the node is suspended with all
///   the questions. Whenever it runs again, all items run again, except those whose results are
///   saved; the items must then be the same in the same order.
/// - **Cancellation.** When the node is cancelled or runs out of time, all items are interrupted.
///   Nothing runs on after the call, with one exception: an item that ignores its interruption
///   after a timeout is abandoned, and can then neither take steps nor publish.
/// - **Policies.** Without one, every item is run and its failure is a result.
///
/// Immutable.
public final class Parallel<I> {
  private final ParallelPlan<I> plan;

  private Parallel(ParallelPlan<I> plan) {
    this.plan = plan;
  }

  /// The work to do for an item.
  @FunctionalInterface
  public interface Work<I, R> {
    /// Does it; never returns null.
    ///
    /// @param fork the item's own context, for the thread that calls this
    R run(I item, NodeContext fork) throws Exception;
  }

  /// Items, all of which may run at once.
  public static <I> Parallel<I> over(Collection<? extends I> items) {
    var limits = new Limits(null, null);
    return new Parallel<>(
        new ParallelPlan<>(List.copyOf(items), Integer.MAX_VALUE, limits, Policy.COLLECT_ALL, 0));
  }

  /// Limits how many items run at once.
  public Parallel<I> concurrency(int most) {
    if (most < 1) throw new IllegalArgumentException("most must be at least 1, was " + most);
    return new Parallel<>(
        new ParallelPlan<>(plan.items(), most, plan.limits(), plan.policy(), plan.quorum()));
  }

  /// Limits the time of one item. An item that takes longer has failed with
  /// [dev.superstep.error.ItemTimedOut].
  public Parallel<I> itemTimeout(Duration most) {
    return limits(new Limits(positive(most), plan.totalTimeout()));
  }

  /// Limits the time of all items together. When it is over, the running items are stopped, and
  /// [dev.superstep.error.ParallelFailed] is thrown, unless the policy is [#bestEffort].
  public Parallel<I> totalTimeout(Duration most) {
    return limits(new Limits(plan.itemTimeout(), positive(most)));
  }

  /// Once an item fails, the others are stopped and [dev.superstep.error.ParallelFailed] is thrown.
  public Parallel<I> failFast() {
    return new Parallel<>(plan.with(Policy.FAIL_FAST, 0));
  }

  /// Runs every item; failures are results. The default.
  public Parallel<I> collectAll() {
    return new Parallel<>(plan.with(Policy.COLLECT_ALL, 0));
  }

  /// Stops the other items once this many have succeeded; they count as cancelled. If too many have
  /// failed for that, the others are stopped and [dev.superstep.error.ParallelFailed] is thrown.
  public Parallel<I> quorum(int needed) {
    if (needed < 1) throw new IllegalArgumentException("needed must be at least 1, was " + needed);
    return new Parallel<>(plan.with(Policy.QUORUM, needed));
  }

  /// Like [#collectAll], and when the time for all items is over, returns the results so far.
  public Parallel<I> bestEffort() {
    return new Parallel<>(plan.with(Policy.BEST_EFFORT, 0));
  }

  /// Runs the items.
  ///
  /// @param context that of the node, or the fork that the caller was given
  /// @throws dev.superstep.error.ParallelFailed if the policy says so
  /// @throws InterruptedException if the node is cancelled; all items were interrupted and waited
  ///   for
  public <R> ItemResults<R> map(NodeContext context, Work<? super I, ? extends R> work)
      throws InterruptedException {
    return run(plan, context, null, work);
  }

  /// Like [#map(NodeContext, Work)], and saves the result of each item that succeeds, as
  /// [NodeContext#step] does: when the node runs again, after a question, a failure or a crash,
  /// only the others run. In a run that is not saved there is no difference.
  ///
  /// @param kept a closed type
  public <R> ItemResults<R> map(NodeContext context, Class<R> kept, Work<? super I, R> work)
      throws InterruptedException {
    return run(plan, context, Codec.of(kept), work);
  }

  /// Returns the first result there is. The other items are interrupted and waited for. The policy
  /// does not matter here. Which item is first may be another when the node runs again.
  ///
  /// @throws dev.superstep.error.ParallelFailed if all failed, with every failure, or if time ran
  ///   out
  public <R> R race(NodeContext context, Work<? super I, ? extends R> work)
      throws InterruptedException {
    ItemResults<R> results = run(plan.with(Policy.QUORUM, 1), context, null, work);
    return results.succeeded().getFirst();
  }

  /// Like [#race(NodeContext, Work)], and keeps the result: the race is not run again with the
  /// node.
  ///
  /// @param kept a closed type
  public <R> R race(NodeContext context, Class<R> kept, Work<? super I, R> work)
      throws InterruptedException {
    ItemResults<R> results = run(plan.with(Policy.QUORUM, 1), context, Codec.of(kept), work);
    return results.succeeded().getFirst();
  }

  private static <I, R> ItemResults<R> run(
      ParallelPlan<I> plan,
      NodeContext context,
      @Nullable Codec<R> kept,
      Work<? super I, ? extends R> work)
      throws InterruptedException {
    if (!(context instanceof TaskContext own)) {
      throw new IllegalArgumentException(
          "context must be the one that the node or the item was given, was a "
              + context.getClass().getName());
    }
    return new ParallelExecution<I, R>(own, plan, kept, work::run).run();
  }

  private Parallel<I> limits(Limits limits) {
    return new Parallel<>(
        new ParallelPlan<>(plan.items(), plan.concurrency(), limits, plan.policy(), plan.quorum()));
  }

  private static Duration positive(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("most must be positive, was " + most);
    }
    return most;
  }

  @Override
  public String toString() {
    return "Parallel[%d items, %d at once]".formatted(plan.items().size(), plan.concurrency());
  }
}
