package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.EngineThreads;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Interrupts one attempt when its time is up. On a platform thread, because the thread that waits
/// for the attempt may not get a carrier while nodes compute on all of them. Safe for many threads.
final class TimeoutInterrupter implements AutoCloseable {
  private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(1);
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final Thread thread;
  private final FutureTask<?> work;
  private final LongSupplier nanosLeft;
  private volatile boolean rang;
  private volatile boolean closed;
  private volatile @Nullable Future<?> next;

  private TimeoutInterrupter(Thread thread, FutureTask<?> work, LongSupplier nanosLeft) {
    this.thread = thread;
    this.work = work;
    this.nanosLeft = nanosLeft;
  }

  private static ScheduledThreadPoolExecutor clock() {
    var clock = new ScheduledThreadPoolExecutor(1, EngineThreads.besides("alarms"));
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /// Something that is done after a while, on the thread that watches time; it must not wait.
  static final class Alarm {
    private final long time;
    private final Future<?> waiting;

    private Alarm(long time, Future<?> waiting) {
      this.time = time;
      this.waiting = waiting;
    }

    static Alarm set(long nanos, Runnable then) {
      long after = Math.clamp(nanos, 0, LONGEST_NANOS);
      return new Alarm(
          System.nanoTime() + after, CLOCK.schedule(then, after, TimeUnit.NANOSECONDS));
    }

    /// Returns whether it rings no later than so many nanoseconds from now.
    boolean ringsWithin(long nanos) {
      return time - System.nanoTime() <= nanos;
    }

    void cancel() {
      waiting.cancel(false);
    }
  }

  /// @param nanosLeft how long the attempt may still take, which may become more
  static TimeoutInterrupter set(Thread thread, FutureTask<?> work, LongSupplier nanosLeft) {
    var alarm = new TimeoutInterrupter(thread, work, nanosLeft);
    alarm.await(nanosLeft.getAsLong());
    return alarm;
  }

  /// Returns whether the time was up before the attempt ended.
  boolean hasRung() {
    return rang;
  }

  @Override
  public void close() {
    closed = true;
    var waiting = next;
    if (waiting != null) waiting.cancel(false);
  }

  private void await(long nanos) {
    next = CLOCK.schedule(this::look, Math.min(nanos, LONGEST_NANOS), TimeUnit.NANOSECONDS);
  }

  private void look() {
    if (closed || work.isDone()) return;
    long nanos = nanosLeft.getAsLong();
    if (nanos > 0) {
      await(nanos);
      return;
    }
    rang = true;
    thread.interrupt();
  }
}
