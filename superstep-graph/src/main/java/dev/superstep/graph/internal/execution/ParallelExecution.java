package dev.superstep.graph.internal.execution;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.error.ItemTimedOut;
import dev.superstep.error.ParallelFailed;
import dev.superstep.event.Event.ContextJoined.How;
import dev.superstep.graph.internal.kernel.ParallelPlan;
import dev.superstep.json.Codec;
import dev.superstep.node.ItemResult;
import dev.superstep.node.ItemResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs the items of one [dev.superstep.graph.Parallel] once. Each has a thread and a fork and
/// reports how it ended; the thread of the node alone decides what follows, and saves it. For that
/// thread.
public final class ParallelExecution<I, R> {
  private final TaskContext context;
  private final String group;
  private final ParallelPlan<I> plan;
  private final @Nullable Codec<R> codec;
  private final ParallelPlan.Work<? super I, ? extends R> work;

  private final LinkedBlockingQueue<Report<R>> reports = new LinkedBlockingQueue<>();
  // By place, the one that began first first.
  private final Map<Integer, Running> running = new LinkedHashMap<>();
  private final @Nullable ItemResult<R>[] results;
  private final @Nullable List<Interrupt>[] questions;
  private final long most;
  private final long began = System.nanoTime();
  private int next;
  private int succeeded;
  private int failed;
  private int asked;
  private int first = -1;
  private boolean late;

  private record Running(int index, AttemptDeadline watch, Thread thread, long began) {}

  /// The end of an item: with a value, an error or questions.
  private record Report<R>(
      int index, @Nullable R value, @Nullable Throwable error, List<Interrupt> open) {}

  @SuppressWarnings({"unchecked", "rawtypes"})
  public // Arrays cannot be of a generic type.
  ParallelExecution(
      TaskContext context,
      ParallelPlan<I> plan,
      @Nullable Codec<R> kept,
      ParallelPlan.Work<? super I, ? extends R> work) {
    this.context = context;
    this.plan = plan;
    this.codec = kept;
    this.work = work;
    this.results = new ItemResult[plan.items().size()];
    this.questions = new List[plan.items().size()];
    this.most = RunLimits.nanos(plan.totalTimeout());
    this.group = context.split();
  }

  public ItemResults<R> run() throws InterruptedException {
    if (Thread.interrupted()) throw cancelled();
    boolean stopped = false;
    try {
      recall();
      while (!isDecided()) {
        while (next < results.length && running.size() < plan.concurrency()) {
          if (context.isCancelled()) throw cancelled();
          start();
        }
        if (!running.isEmpty()) awaitReport();
      }
    } finally {
      stopped = stop();
      context.join();
    }
    if (stopped) throw cancelled();
    return judge();
  }

  /// Reads the results that earlier runs of the node saved.
  private void recall() {
    if (codec == null) return;
    for (int i = 0; i < results.length; i++) {
      var known = context.steps().recall(place(i), codec);
      if (known == null) continue;
      results[i] = new ItemResult.Succeeded<>(known);
      succeeded++;
    }
  }

  private boolean isDecided() {
    return late
        || plan.isEnough(succeeded)
        || plan.failure(failed) != null
        || (next == results.length && running.isEmpty());
  }

  private void start() {
    int index = next++;
    if (results[index] != null) return;
    var watch = context.watch(plan.itemTimeout());
    var fork = context.fork(place(index), watch);
    var item = plan.items().get(index);
    context.forked(place(index));
    long now = System.nanoTime();
    var thread = context.start(() -> reports.add(report(index, item, fork)));
    running.put(index, new Running(index, watch, thread, now));
  }

  /// On the thread of the item.
  private Report<R> report(int index, I item, TaskContext fork) {
    R value = null;
    Throwable error = null;
    try {
      value = Objects.requireNonNull(work.run(item, fork), "the work for an item gave null");
    } catch (Throwable e) {
      error = e;
    }
    fork.end();
    // An item may have caught its suspension.
    return new Report<>(index, value, error, fork.open());
  }

  private void awaitReport() throws InterruptedException {
    var report = await();
    if (report == null) expire();
    else {
      var ended = running.remove(report.index);
      // One that was left behind may have come to its end all the same.
      if (ended == null) return;
      settle(report);
      joined(ended, how(report));
    }
  }

  private static How how(Report<?> report) {
    if (!report.open.isEmpty()) return How.ASKED;
    return report.value == null ? How.FAILED : How.SUCCEEDED;
  }

  private void joined(Running one, How how) {
    context.joined(place(one.index), how, Duration.ofNanos(System.nanoTime() - one.began));
  }

  /// The next to end, or null if somebody's time is over first.
  private @Nullable Report<R> await() throws InterruptedException {
    long left = nanosLeft();
    return left > 0 ? reports.poll(left, TimeUnit.NANOSECONDS) : reports.poll();
  }

  private long nanosLeft() {
    long now = System.nanoTime();
    long left = totalLeft(now);
    // All have the same time, so the one that began first runs out of it first.
    for (var one : running.values()) return Math.min(left, one.watch.nanosLeft(now));
    return left;
  }

  private long totalLeft(long now) {
    return most == Long.MAX_VALUE ? most : most - (now - began);
  }

  private void settle(Report<R> report) {
    if (!report.open.isEmpty()) {
      questions[report.index] = report.open;
      asked++;
      return;
    }
    if (report.value == null) {
      fail(report.index, Objects.requireNonNull(report.error));
      return;
    }
    results[report.index] = new ItemResult.Succeeded<>(record(report.index, report.value));
    succeeded++;
  }

  private R record(int index, R value) {
    return codec == null ? value : context.steps().recordItem(place(index), codec, value);
  }

  private void fail(int index, Throwable error) {
    results[index] = new ItemResult.Failed<>(error);
    failed++;
    if (first < 0) first = index;
  }

  private void expire() {
    late = totalLeft(System.nanoTime()) <= 0;
    var limit =
        Objects.requireNonNullElse(late ? plan.totalTimeout() : plan.itemTimeout(), Duration.ZERO);
    for (var one : leave()) {
      fail(one.index, new ItemTimedOut(context.node(), one.index, limit, late));
      joined(one, How.TIMED_OUT);
    }
  }

  /// Abandons the items whose time is over, and returns them.
  private List<Running> leave() {
    long now = System.nanoTime();
    boolean all = late || totalLeft(now) <= 0;
    var over = new ArrayList<Running>();
    for (var one : running.values()) if (all || one.watch.nanosLeft(now) <= 0) over.add(one);
    for (var one : over) {
      running.remove(one.index);
      one.watch.giveUp();
    }
    TimedAttempt.leave(over.stream().map(Running::thread).toList());
    return over;
  }

  /// Stops the running items and waits for them. Their results are dropped.
  ///
  /// @return whether the node was cancelled meanwhile
  private boolean stop() {
    boolean cancelled = false;
    running.values().forEach(one -> one.thread.interrupt());
    while (!running.isEmpty()) {
      try {
        var report = await();
        if (report == null) {
          leave().forEach(one -> joined(one, How.CANCELLED));
          continue;
        }
        var ended = running.remove(report.index);
        if (ended != null) joined(ended, How.CANCELLED);
      } catch (InterruptedException _) {
        cancelled = true;
        running.values().forEach(one -> one.thread.interrupt());
      }
    }
    return cancelled;
  }

  private ItemResults<R> judge() {
    if (plan.isEnough(succeeded)) return results();
    var failure = plan.failure(failed);
    if (failure != null) throw failed(failure);
    if (late && plan.policy() != ParallelPlan.Policy.BEST_EFFORT) {
      throw failed(ParallelFailed.Reason.OUT_OF_TIME);
    }
    if (asked > 0) throw context.suspended(questions());
    return results();
  }

  private List<Interrupt> questions() {
    var all = new ArrayList<Interrupt>();
    for (var open : questions) if (open != null) all.addAll(open);
    return List.copyOf(all);
  }

  private ItemResults<R> results() {
    var all = new ArrayList<ItemResult<R>>(results.length);
    for (var one : results) all.add(one == null ? new ItemResult.Cancelled<>() : one);
    return new ItemResults<>(all);
  }

  private ParallelFailed failed(ParallelFailed.Reason reason) {
    var failures = new ArrayList<Throwable>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof ItemResult.Failed<R>(var error)) {
        failures.add(i == first ? 0 : failures.size(), error);
      }
    }
    var most = Optional.ofNullable(plan.totalTimeout());
    var at = new ParallelFailed.Progress(results.length, succeeded, plan.quorum(), most);
    return new ParallelFailed(context.node(), reason, at, failures);
  }

  private String place(int index) {
    return group + "." + index;
  }

  private static InterruptedException cancelled() {
    return new InterruptedException("the node was cancelled while it waited for its items");
  }
}
