package dev.superstep.graph.internal.execution;

import dev.superstep.call.LimitedCall;
import dev.superstep.graph.internal.kernel.EngineThreads;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Outcome;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The thread on which a loop runs: its caller's until a task that is alone in its superstep makes
/// a call of limited time, then one of the engine's, which is replaced by another if the call does
/// not end when it is interrupted. Its caller waits. Safe for many threads.
public final class LoopThread {
  private static final String NOT_RUN = "a thread context did not run the work that it was given";
  private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(365);

  /// The time that an interrupted call has to clean up before it is left behind.
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RunScope scope;
  private final Loop loop;
  // Null while the loop is on its caller's thread.
  private @Nullable Thread current;
  private @Nullable Runnable entry;
  private @Nullable Rest next;
  private @Nullable Call<?> active;
  private TimeoutInterrupter.@Nullable Alarm alarm;
  private boolean stopped;
  private boolean ended;
  private @Nullable Outcome outcome;
  private @Nullable Throwable failure;

  /// A loop that any thread can continue.
  public interface Loop {
    /// The thread that it is on.
    LoopThread thread();

    /// Continues after the end of the lone task of the superstep that the loop is in.
    Outcome proceed(TaskResult end) throws InterruptedException;
  }

  /// The rest of a task.
  private interface Rest {
    TaskResult run();
  }

  /// A call that is being made. Guarded by the loop's thread.
  private static final class Call<T> {
    private final LimitedCall<T> call;
    private final TaskContext context;
    private final TaskRun task;
    private long deadline;
    private boolean late;
    private boolean left;

    Call(LimitedCall<T> call, TaskContext context, TaskRun task, long deadline) {
      this.call = call;
      this.context = context;
      this.task = task;
      this.deadline = deadline;
    }
  }

  public LoopThread(RunScope scope, Loop loop) {
    this.scope = scope;
    this.loop = loop;
  }

  /// Makes a call for a task that is alone in its superstep, and does the rest of its node.
  <T> NodeResult call(LimitedCall<T> call, TaskContext context, TaskRun task) throws Exception {
    if (!isCurrent()) {
      replace(() -> task.rest(context, () -> call(call, context, task)));
      throw new HandedOver();
    }
    var made = begin(call, context, task);
    T result = null;
    Throwable error = null;
    try {
      result = call.make();
    } catch (Throwable e) {
      error = e;
    }
    end(made);
    if (scope.limits().isCancelled()) throw cancelled(error);
    if (made.late) return call.then(call.late(), context);
    if (error instanceof Exception e) throw e;
    if (error instanceof Error e) throw e;
    return call.then(Objects.requireNonNull(result), context);
  }

  private static InterruptedException cancelled(@Nullable Throwable error) {
    var cancelled = new InterruptedException("the run was cancelled");
    if (error != null) cancelled.addSuppressed(error);
    return cancelled;
  }

  private synchronized boolean isCurrent() {
    return Thread.currentThread().equals(current);
  }

  private synchronized <T> Call<T> begin(LimitedCall<T> call, TaskContext context, TaskRun task)
      throws InterruptedException {
    if (stopped) throw cancelled(null);
    long now = System.nanoTime();
    var made = new Call<>(call, context, task, now + most(call));
    active = made;
    arm(made.deadline - now);
    return made;
  }

  private static long most(LimitedCall<?> call) {
    return Math.min(RunLimits.nanos(call.most()), LONGEST_NANOS);
  }

  /// An interruption that was the call's own, or came of its time limit, ends with it.
  private synchronized void end(Call<?> made) {
    if (made.left) throw new HandedOver();
    active = null;
    if (Thread.interrupted() && stopped) Thread.currentThread().interrupt();
  }

  private synchronized void arm(long nanos) {
    var set = alarm;
    if (set != null && set.ringsWithin(nanos)) return;
    if (set != null) set.cancel();
    alarm = TimeoutInterrupter.Alarm.set(nanos, this::look);
  }

  /// Looks at the call that is being made; most have ended long before.
  private synchronized void look() {
    alarm = null;
    var made = active;
    if (made == null || ended) return;
    long left = made.deadline - System.nanoTime();
    if (left > 0) {
      arm(left);
      return;
    }
    if (made.late || stopped) {
      leave(made);
      return;
    }
    made.late = true;
    made.deadline = System.nanoTime() + GRACE_NANOS;
    Objects.requireNonNull(current).interrupt();
    arm(GRACE_NANOS);
  }

  private <T> void leave(Call<T> made) {
    made.left = true;
    active = null;
    made.context.abandon();
    boolean isCancelled = stopped;
    replace(() -> {
      made.context.end();
      var context = made.context.successor();
      return made.task.rest(
          context,
          () -> {
            if (isCancelled) throw cancelled(null);
            return made.call.then(made.call.late(), context);
          });
    });
  }

  /// Goes on with the rest of a task, and then with the loop, on a new thread.
  private synchronized void replace(Rest rest) {
    next = rest;
    var run = entry;
    if (run == null) entry = run = entry();
    var thread = EngineThreads.of(scope.run(), "loop", run);
    current = thread;
    thread.start();
    if (stopped) thread.interrupt();
  }

  /// Goes on with what is next, with what is bound to the calling thread. A loop that is not called
  /// by whoever carries that over has failed.
  private Runnable entry() {
    var carried = scope.carried(this::goOn);
    return () -> {
      Throwable error = null;
      try {
        carried.run();
      } catch (Throwable e) {
        error = e;
      }
      if (isNotRun()) end(null, error == null ? new IllegalStateException(NOT_RUN) : error);
    };
  }

  private void goOn() {
    Outcome reached = null;
    Throwable error = null;
    try {
      reached = loop.proceed(taken().run());
    } catch (HandedOver _) {
      return;
    } catch (Throwable e) {
      error = e;
    }
    end(reached, error);
  }

  private synchronized Rest taken() {
    var rest = Objects.requireNonNull(next);
    next = null;
    return rest;
  }

  private synchronized boolean isNotRun() {
    return next != null && Thread.currentThread().equals(current);
  }

  private synchronized void end(@Nullable Outcome reached, @Nullable Throwable error) {
    outcome = reached;
    failure = error;
    ended = true;
    if (alarm != null) alarm.cancel();
    notifyAll();
  }

  /// Waits for the end of a loop that has left its caller's thread, which is the calling one. If
  /// that is interrupted, the run is cancelled.
  public synchronized Outcome await() throws InterruptedException {
    boolean interrupted = false;
    while (!ended) {
      try {
        wait();
      } catch (InterruptedException _) {
        interrupted = true;
        stop();
      }
    }
    var error = failure;
    if (interrupted && !(error instanceof InterruptedException)) {
      Thread.currentThread().interrupt();
    }
    if (error == null) return Objects.requireNonNull(outcome);
    error.addSuppressed(new Caller());
    switch (error) {
      case InterruptedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(error);
    }
  }

  private void stop() {
    if (stopped) return;
    stopped = true;
    scope.limits().cancel();
    Objects.requireNonNull(current).interrupt();
    var made = active;
    if (made == null) return;
    if (!made.late) made.deadline = System.nanoTime() + GRACE_NANOS;
    arm(GRACE_NANOS);
  }

  /// The place where a run was called, for an error that comes from another thread.
  private static final class Caller extends Exception {
    Caller() {
      super("the run was called here");
    }
  }
}
