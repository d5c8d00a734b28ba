package dev.superstep.middleware;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// Holds the calls of each model to a rate, over all runs of all agents that have this object. Who
/// comes too early waits, which is reported as `rate_limit.waited` and is no part of the time that
/// the call is said to take; the wait ends when the run is cancelled. Who would have to wait longer
/// than [#waitingAtMost] fails with a [ModelException] of kind RATE_LIMITED, after which a
/// [Fallback] asks another model.
///
/// ```java
/// var limit = RateLimiting.of(60, Duration.ofMinutes(1)).burst(10);
/// ```
///
/// Add it inside of [Retrying] and [Fallback], so that each attempt counts. Safe for many threads;
/// the methods return copies, which count for themselves.
public final class RateLimiting implements Middleware {
  static final Duration WAIT_MAX = Duration.ofMinutes(2);

  private final long nanosPerCall;
  private final int burst;
  private final Duration most;
  private final LongSupplier clock;
  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

  private RateLimiting(long nanosPerCall, int burst, Duration most, LongSupplier clock) {
    this.nanosPerCall = nanosPerCall;
    this.burst = burst;
    this.most = most;
    this.clock = clock;
  }

  /// At most so many calls in a time, at even distances.
  public static RateLimiting of(int calls, Duration per) {
    SettingChecks.atLeast(1, "calls", calls);
    long nanos = SettingChecks.positive("per", per).toNanos() / calls;
    return new RateLimiting(Math.max(1, nanos), 1, WAIT_MAX, System::nanoTime);
  }

  /// Sets the number of calls that may come at once after a rest; 1 unless set.
  public RateLimiting burst(int calls) {
    return new RateLimiting(nanosPerCall, SettingChecks.atLeast(1, "burst", calls), most, clock);
  }

  /// The longest wait; 2 minutes unless set.
  public RateLimiting waitingAtMost(Duration longest) {
    var time = SettingChecks.positive("waitingAtMost", longest);
    return new RateLimiting(nanosPerCall, burst, time, clock);
  }

  /// Reads the time from something else than the system, in nanoseconds from any origin. For tests,
  /// together with [dev.superstep.graph.RunOptions#sleeper].
  public RateLimiting clock(LongSupplier nanos) {
    return new RateLimiting(nanosPerCall, burst, most, nanos);
  }

  @Override
  public Touches touches() {
    return Touches.METADATA;
  }

  @Override
  public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    var model = context.model().ref().url();
    var wait = buckets.computeIfAbsent(model, _ -> new Bucket()).acquire(model);
    if (wait.isPositive()) {
      context.node().sleep(wait);
      context.emit(new AgentEvent.RateLimitWaited(context.agent(), model, wait));
    }
    return next.call(request);
  }

  /// The calls of one model. A token comes back every `nanosPerCall`; instead of tokens it keeps
  /// when the bucket will be full again.
  private final class Bucket {
    private long fullAt;
    private boolean used;

    /// Takes a token, and says how long it takes until it is there.
    synchronized Duration acquire(String model) {
      long now = clock.getAsLong();
      // Differences, because the clock may have any origin.
      long from = used && fullAt - now > 0 ? fullAt : now;
      long wait = Math.max(0, from + nanosPerCall - (long) burst * nanosPerCall - now);
      if (wait > most.toNanos()) throw tooLong(model, Duration.ofNanos(wait));
      fullAt = from + nanosPerCall;
      used = true;
      return Duration.ofNanos(wait);
    }
  }

  private ModelException tooLong(String model, Duration wait) {
    return new ModelException(
        ModelException.Kind.RATE_LIMITED,
        """
        Model `%s` is held to a call every %d ms, and the next is free in %d ms, later than the \
        %d ms that a call may wait. Raise the rate or waitingAtMost.\
        """
            .formatted(
                model, Duration.ofNanos(nanosPerCall).toMillis(), wait.toMillis(), most.toMillis()),
        wait,
        null);
  }

  @Override
  public String toString() {
    return "RateLimiting[every " + Duration.ofNanos(nanosPerCall) + ", bursts of " + burst + "]";
  }
}
