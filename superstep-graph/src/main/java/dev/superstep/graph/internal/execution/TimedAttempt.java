package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.EngineThreads;
import dev.superstep.graph.internal.kernel.Halt.DeadlineReached;
import dev.superstep.graph.internal.kernel.TaskResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Runs one attempt at a node that has limited time, on a thread of its own, and leaves it behind
/// when its time is up. For the thread of the task.
final class TimedAttempt {
  /// The time that an interrupted node has to clean up before it is abandoned.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RunScope scope;
  private final String node;
  private final AttemptDeadline watch;

  TimedAttempt(RunScope scope, String node, AttemptDeadline watch) {
    this.scope = scope;
    this.node = node;
    this.watch = watch;
  }

  /// Runs the attempt and returns its result. It ends by itself, by its own limits, by the run's
  /// deadline, or because the calling thread was interrupted, which cancels it.
  TaskResult run(Supplier<TaskResult> body) {
    if (scope.limits().nanosLeft() <= 0) return new TaskResult.Failed(new DeadlineReached());
    var work = new FutureTask<>(body::get);
    var thread = EngineThreads.start(scope.run(), node, scope.carried(work));
    // Mostly there is nothing to wait for but the end, or being cancelled.
    if (nanosLeft() == Long.MAX_VALUE) return untimed(work, thread);
    try (var alarm = TimeoutInterrupter.set(thread, work, this::nanosLeft)) {
      return await(work, alarm);
    } catch (InterruptedException e) {
      leave(thread);
      return new TaskResult.Failed(e);
    } catch (TimeoutException e) {
      leave(thread);
      var late = e.getCause();
      return new TaskResult.Failed(late == null ? e : late);
    } catch (ExecutionException e) {
      return new TaskResult.Failed(e.getCause() == null ? e : e.getCause());
    }
  }

  private TaskResult untimed(FutureTask<TaskResult> work, Thread thread) {
    try {
      return work.get();
    } catch (InterruptedException e) {
      leave(thread);
      return new TaskResult.Failed(e);
    } catch (ExecutionException e) {
      return new TaskResult.Failed(e.getCause() == null ? e : e.getCause());
    }
  }

  /// @throws TimeoutException with what the attempt failed of as its cause
  private TaskResult await(FutureTask<TaskResult> work, TimeoutInterrupter alarm)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (true) {
      long left = nanosLeft();
      if (left <= 0) throw late();
      try {
        var end = work.get(left, TimeUnit.NANOSECONDS);
        // It ended because it was interrupted, or it ended too late and the timeout had not been
        // noticed.
        if (alarm.hasRung()) throw late();
        return end;
      } catch (TimeoutException e) {
        if (e.getCause() != null) throw e;
        // A sign of life may have come meanwhile: look again.
      }
    }
  }

  private long nanosLeft() {
    return Math.min(watch.nanosLeft(System.nanoTime()), scope.limits().nanosLeft());
  }

  private TimeoutException late() {
    boolean isOutOfTime = scope.limits().nanosLeft() <= 0;
    var late = new TimeoutException();
    late.initCause(isOutOfTime ? new DeadlineReached() : watch.error(node, System.nanoTime()));
    return late;
  }

  private void leave(Thread thread) {
    watch.giveUp();
    leave(List.of(thread));
    if (thread.isAlive()) scope.limits().leave(node, thread);
  }

  /// Interrupts threads, and waits a little for them to clear up. For those that are given up.
  static void leave(List<Thread> threads) {
    threads.forEach(Thread::interrupt);
    long until = System.nanoTime() + GRACE_NANOS;
    boolean interrupted = false;
    for (var thread : threads) {
      long left = until - System.nanoTime();
      while (left > 0 && thread.isAlive()) {
        try {
          thread.join(Duration.ofNanos(left));
        } catch (InterruptedException _) {
          interrupted = true;
        }
        left = until - System.nanoTime();
      }
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
