package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.Halt.DeadlineReached;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.node.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Computes when the next attempt may begin, by the rates of the run and of its nodes. Shared by a
/// run and its subgraphs. Safe for many threads.
final class RateLimiter {
  private final RunSettings options;
  private final RunLimits limits;
  private final @Nullable Span run;

  /// Guarded by this. Null until a node has a rate.
  private @Nullable Map<NodeSpec, Span> nodes;

  private Instant latest = Instant.MIN;

  RateLimiter(RunSettings options, RunLimits limits) {
    this.options = options;
    this.limits = limits;
    this.run = options.rate() == null ? null : new Span(options.rate());
  }

  /// Returns whether any rate applies to a node.
  boolean limits(NodeSpec node) {
    return run != null || (node.policy() != null && node.policy().rate() != null);
  }

  /// Lets the next attempt of a task begin, if it may.
  ///
  /// @return how long it has to wait; zero if it was let begin, and that is counted
  synchronized Duration admit(Task task) {
    var own = span(task.due().node());
    var now = now();
    var wait = own == null ? Duration.ZERO : own.wait(now);
    var all = run == null ? Duration.ZERO : run.wait(now);
    if (all.compareTo(wait) > 0) wait = all;
    if (!wait.isZero()) return wait;
    if (own != null) own.begin(now);
    if (run != null) run.begin(now);
    latest = now;
    task.admitted(now);
    return wait;
  }

  /// Returns how long every task must wait for the rate of the run.
  synchronized Duration runWait() {
    return run == null ? Duration.ZERO : run.wait(now());
  }

  /// The time as rates see it.
  synchronized Instant time() {
    return now();
  }

  /// Takes back that a task was let begin: it need not.
  synchronized void release(Task task) {
    var admitted = task.admitted();
    if (admitted == null) return;
    task.admitted(null);
    var own = span(task.due().node());
    if (own != null) own.began.removeLastOccurrence(admitted);
    if (run != null) run.began.removeLastOccurrence(admitted);
  }

  /// Waits until an attempt may begin, unless it was let begin before.
  ///
  /// @throws DeadlineReached if the run's deadline comes before
  void await(Task task) throws InterruptedException, DeadlineReached {
    while (task.admitted() == null) {
      var wait = admit(task);
      if (wait.isZero()) break;
      if (isTooLate(wait)) throw new DeadlineReached();
      sleep(wait);
    }
    task.admitted(null);
  }

  /// Returns whether the run's deadline will have passed after this wait.
  boolean isTooLate(Duration wait) {
    return RunLimits.nanos(wait) >= limits.nanosLeft();
  }

  void sleep(Duration wait) throws InterruptedException {
    Instant until;
    synchronized (this) {
      until = now().plus(wait);
    }
    options.sleeper().sleep(wait);
    synchronized (this) {
      if (until.isAfter(latest)) latest = until;
    }
  }

  /// Returns the time, which never goes back here. A sleeper may wait without moving the run's
  /// clock, so time waited counts in any case.
  private Instant now() {
    var now = options.clock().instant();
    return now.isAfter(latest) ? now : latest;
  }

  private @Nullable Span span(NodeSpec node) {
    var rate = node.policy() == null ? null : node.policy().rate();
    if (rate == null) return null;
    if (nodes == null) nodes = new HashMap<>();
    return nodes.computeIfAbsent(node, _ -> new Span(rate));
  }

  /// The last beginnings under one rate.
  private static final class Span {
    private final Rate rate;
    private final ArrayDeque<Instant> began = new ArrayDeque<>();

    Span(Rate rate) {
      this.rate = rate;
    }

    Duration wait(Instant now) {
      if (began.size() < rate.times()) return Duration.ZERO;
      var wait = Duration.between(now, began.getFirst().plus(rate.window()));
      return wait.isPositive() ? wait : Duration.ZERO;
    }

    void begin(Instant now) {
      if (began.size() >= rate.times()) began.removeFirst();
      began.addLast(now);
    }
  }
}
