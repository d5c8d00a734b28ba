package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.ActiveRuns;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.EngineLog;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.node.ContextKey;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The limits, rates, node cache and shared values of a run and its subgraphs. Safe for many
/// threads.
public final class RunLimits {
  private final AtomicInteger retries;
  private final @Nullable AtomicInteger tasks;
  private final AtomicInteger supersteps;
  // Of the outermost run, once a node has a limit.
  private @Nullable Map<NodeSpec, AtomicInteger> visits;
  private final int totalSteps;
  private final long most;
  private final @Nullable RunControl stream;
  private final @Nullable ActiveRuns drain;
  private final @Nullable RunLimits outer;
  private final long began;
  private final RateLimiter rateLimiter;
  private final @Nullable NodeCacheAccess nodeCache;
  // Of the outermost run, once a node shares a value.
  private @Nullable Map<ContextKey<?>, Object> shared;
  private volatile boolean cancelled;
  private volatile @Nullable InterruptFlag latch;

  /// @param stream what can drain and cancel the run, if anything can
  /// @param drain what can drain it together with others, if anything can
  public RunLimits(
      CompiledGraph graph,
      RunSettings options,
      @Nullable RunControl stream,
      @Nullable ActiveRuns drain) {
    this.drain = drain;
    this.totalSteps = options.totalStepLimit(graph.stepLimit());
    this.supersteps = new AtomicInteger();
    this.retries = new AtomicInteger(options.retryBudget());
    var limit = options.taskLimit();
    this.tasks = limit == null ? null : new AtomicInteger(limit);
    this.most = nanos(options.deadline());
    this.stream = stream;
    this.began = System.nanoTime();
    this.outer = null;
    this.rateLimiter = new RateLimiter(options, this);
    this.nodeCache =
        options.cache().map(cache -> new NodeCacheAccess(cache, options.clock())).orElse(null);
  }

  private RunLimits(RunLimits outer) {
    this.retries = outer.retries;
    this.tasks = outer.tasks;
    this.supersteps = outer.supersteps;
    this.totalSteps = outer.totalSteps;
    this.most = outer.most;
    this.stream = outer.stream;
    this.drain = outer.drain;
    this.began = outer.began;
    this.outer = outer;
    this.rateLimiter = outer.rateLimiter;
    this.nodeCache = outer.nodeCache;
  }

  /// Returns the limits for a subgraph: they are shared with this run, but the subgraph may be
  /// cancelled alone, as when its task takes too long.
  public RunLimits within() {
    return new RunLimits(this);
  }

  /// Returns the value that the nodes of a run share under this key.
  Object shared(ContextKey<?> key, Supplier<?> make) {
    return sharedValues().computeIfAbsent(key, _ -> Objects.requireNonNull(make.get(), key.name()));
  }

  /// Closes what the nodes of the run shared, once none of them runs. What fails to close must not
  /// change what came of the run.
  public void closeShared() {
    Map<ContextKey<?>, Object> all;
    synchronized (this) {
      all = shared;
    }
    if (all == null) return;
    for (var value : all.values()) {
      if (!(value instanceof AutoCloseable closeable)) continue;
      try {
        closeable.close();
      } catch (Exception e) {
        if (e instanceof InterruptedException) Thread.currentThread().interrupt();
        EngineLog.warn("a shared value of a run could not be closed", e);
      }
    }
  }

  private Map<ContextKey<?>, Object> sharedValues() {
    if (outer != null) return outer.sharedValues();
    synchronized (this) {
      if (shared == null) shared = new ConcurrentHashMap<>();
      return shared;
    }
  }

  private Map<NodeSpec, AtomicInteger> visits() {
    if (outer != null) return outer.visits();
    synchronized (this) {
      if (visits == null) visits = new ConcurrentHashMap<>();
      return visits;
    }
  }

  /// The rates of the run.
  RateLimiter rateLimiter() {
    return rateLimiter;
  }

  /// The run's cache, or null if it has none.
  @Nullable NodeCacheAccess nodeCache() {
    return nodeCache;
  }

  /// Counts a retry, and returns whether the run may still make it.
  boolean tryAcquireRetry() {
    return retries.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /// Returns whether the run may begin only a limited number of tasks.
  public boolean isCounted() {
    return tasks != null;
  }

  /// Returns whether the run has begun as many tasks as it may.
  public boolean isSpent() {
    return tasks != null && tasks.get() <= 0;
  }

  /// Counts a task that begins.
  public void begin() {
    if (tasks != null) tasks.decrementAndGet();
  }

  /// Counts a superstep of the run, or of a subgraph, that begins.
  ///
  /// @return whether there may be one more
  public boolean tryAcquireStep() {
    return supersteps.getAndIncrement() < totalSteps;
  }

  /// Counts a task of a node, if there is a limit on them.
  ///
  /// @return whether there may be one more
  boolean tryAcquireVisit(NodeSpec node, int most) {
    if (most == Integer.MAX_VALUE) return true;
    return visits().computeIfAbsent(node, _ -> new AtomicInteger()).getAndIncrement() < most;
  }

  /// The number of supersteps that the run may take together with its subgraphs.
  public int totalSteps() {
    return totalSteps;
  }

  boolean hasDeadline() {
    return most != Long.MAX_VALUE;
  }

  /// Returns whether a node that ignores interruptions is abandoned: the run has a deadline, or the
  /// canceller does not wait for it.
  boolean isLeaving() {
    return hasDeadline() || isOnlyCancelledBySwitch();
  }

  /// Returns the time left for the run; 0 or less once its deadline has passed.
  long nanosLeft() {
    return hasDeadline() ? most - (System.nanoTime() - began) : Long.MAX_VALUE;
  }

  public boolean isPastDeadline() {
    return hasDeadline() && nanosLeft() <= 0;
  }

  /// Returns whether the run and its subgraphs are to end where they can be resumed.
  public boolean isDraining() {
    return isStreamDraining() || (drain != null && drain.isDraining());
  }

  /// Returns whether the reader of the run's stream drains it.
  public boolean isStreamDraining() {
    return stream != null && stream.isDraining();
  }

  /// To be called before the tasks of the run are interrupted.
  public void cancel() {
    cancelled = true;
  }

  /// The run is cancelled by interrupting the calling thread, until [#release].
  public void listen() {
    latch = InterruptFlag.set();
  }

  /// Interruptions are not the run's any more. For its thread.
  public void release() {
    var known = latch;
    if (known != null) known.end();
  }

  /// Returns whether the run is known to be cancelled, so that exceptions of its nodes are not
  /// failures.
  public boolean isCancelled() {
    if (outer != null && outer.isCancelled()) return true;
    var known = latch;
    if (known != null && known.wasInterrupted()) return true;
    return cancelled || (stream != null && stream.isCancelled());
  }

  /// An attempt was given up and has not ended.
  void leave(String node, Thread attempt) {
    if (stream != null) stream.leave(node, attempt);
  }

  /// Returns whether the run has a thread of its own, which nobody else can interrupt.
  public boolean isOnlyCancelledBySwitch() {
    return stream != null || (outer != null && outer.isOnlyCancelledBySwitch());
  }

  /// As long as can be counted, if there is no limit or a longer one.
  static long nanos(@Nullable Duration limit) {
    return limit == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(limit);
  }
}
