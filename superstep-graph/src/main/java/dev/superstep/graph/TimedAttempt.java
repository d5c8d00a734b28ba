package dev.superstep.graph;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Runs one attempt at a node that has limited time, on a thread of its own, and leaves it behind
/// when its time is up. For the thread of the task.
final class TimedAttempt {
  /// How long an interrupted node may take to clear up before it is left behind.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RunScope scope;
  private final String node;
  private final Watch watch;

  TimedAttempt(RunScope scope, String node, Watch watch) {
    this.scope = scope;
    this.node = node;
    this.watch = watch;
  }

  /// How the attempt ended: by itself, by its own limits, by the run's deadline, or because the
  /// calling thread was interrupted, which cancels it.
  Ended run(Supplier<Ended> body) {
    if (scope.allowance().nanosLeft() <= 0) return new Ended.Failed(new OutOfTime());
    var work = new FutureTask<>(body::get);
    var thread = TaskPool.start(scope.run(), node, Nesting.carried(scope.depth(), work));
    try {
      return await(work);
    } catch (InterruptedException e) {
      leave(thread);
      return new Ended.Failed(e);
    } catch (TimeoutException e) {
      leave(thread);
      var late = e.getCause();
      return new Ended.Failed(late == null ? e : late);
    } catch (ExecutionException e) {
      return new Ended.Failed(e.getCause() == null ? e : e.getCause());
    }
  }

  /// @throws TimeoutException with what the attempt failed of as its cause
  private Ended await(FutureTask<Ended> work)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (true) {
      long now = System.nanoTime();
      long left = watch.nanosLeft(now);
      long runLeft = scope.allowance().nanosLeft();
      if (runLeft <= 0) throw late(new OutOfTime());
      if (left <= 0) throw late(watch.error(node, now));
      try {
        return work.get(Math.min(left, runLeft), TimeUnit.NANOSECONDS);
      } catch (TimeoutException _) {
        // A sign of life may have come meanwhile: look again.
      }
    }
  }

  private static TimeoutException late(Exception cause) {
    var late = new TimeoutException();
    late.initCause(cause);
    return late;
  }

  private void leave(Thread thread) {
    watch.giveUp();
    thread.interrupt();
    long until = System.nanoTime() + GRACE_NANOS;
    boolean interrupted = false;
    while (thread.isAlive()) {
      long left = until - System.nanoTime();
      if (left <= 0) break;
      try {
        thread.join(java.time.Duration.ofNanos(left));
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
