package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs the tasks of a superstep.
public final class TaskPool {
  private final String run;
  private final int concurrency;
  private final UnaryOperator<Runnable> carrier;
  private final RunLimits limits;

  /// @param carrier wraps work for another thread
  /// @param limits is notified before tasks are interrupted
  public TaskPool(String run, int concurrency, UnaryOperator<Runnable> carrier, RunLimits limits) {
    this.run = run;
    this.concurrency = concurrency;
    this.carrier = carrier;
    this.limits = limits;
  }

  /// Runs every task and returns how each ended, in task order. One task alone runs on the calling
  /// thread; several run on virtual threads, at most `concurrency` at once. All of them end before
  /// this returns or throws.
  ///
  /// @param body returns the task's result, or null if it is to be called once more, later
  /// @throws InterruptedException if the calling thread is interrupted; the tasks are, too
  public List<TaskResult> run(List<Task> tasks, Function<Task, @Nullable TaskResult> body)
      throws InterruptedException {
    if (tasks.isEmpty()) return List.of();
    if (tasks.size() == 1) return List.of(alone(tasks.getFirst(), body));
    var ends = new @Nullable TaskResult[tasks.size()];
    var turns = new AdmissionQueue(tasks, limits);
    var workers = new ArrayList<Thread>();
    var threads = workers(tasks);
    var failure = new Failure();
    Runnable worker = () -> work(tasks, body, ends, turns, failure);
    for (int i = 0; i < Math.min(concurrency, tasks.size()); i++) {
      workers.add(threads.start(carrier.apply(worker)));
    }
    await(workers, turns);
    failure.rethrow();
    // The last to end may have done so before anybody was interrupted.
    for (var end : ends) if (end == null) throw new InterruptedException("the run was cancelled");
    var inOrder = new ArrayList<TaskResult>(ends.length);
    for (var end : ends) inOrder.add(Objects.requireNonNull(end));
    return inOrder;
  }

  /// Makes platform threads where time is limited: a thread that waits for attempts must run even
  /// while nodes compute on all carriers.
  private Thread.Builder workers(List<Task> tasks) {
    boolean timed = limits.hasDeadline();
    for (var task : tasks) timed |= task.due().isTimed();
    var name = "superstep-" + run + "-";
    return timed ? Thread.ofPlatform().daemon().name(name, 0) : Thread.ofVirtual().name(name, 0);
  }

  private TaskResult alone(Task task, Function<Task, @Nullable TaskResult> body)
      throws InterruptedException {
    if (limits.isCancelled()) throw new InterruptedException("the run was cancelled");
    var end = body.apply(task);
    return end != null ? end : Objects.requireNonNull(body.apply(task));
  }

  private void work(
      List<Task> tasks,
      Function<Task, @Nullable TaskResult> body,
      @Nullable TaskResult[] ends,
      AdmissionQueue turns,
      Failure failure) {
    for (int i = turns.take(); i != AdmissionQueue.NONE; i = turns.take()) {
      if (limits.isCancelled()) {
        turns.stop();
        return;
      }
      try {
        var end = body.apply(tasks.get(i));
        // The next task must not inherit an interruption. A cancelled run has no next task.
        Thread.interrupted();
        if (end == null) {
          // From here on it is another worker's.
          turns.back(i);
        } else {
          ends[i] = end;
          turns.done(i);
        }
      } catch (Throwable e) {
        // The body turns what a node throws into a value, so this is the engine or its storage.
        failure.first(e);
        turns.stop();
      }
    }
  }

  private void await(List<Thread> workers, AdmissionQueue turns) throws InterruptedException {
    boolean cancelled = false;
    for (var worker : workers) {
      while (worker.isAlive()) {
        try {
          worker.join();
        } catch (InterruptedException _) {
          cancelled = true;
          limits.cancel();
          turns.stop();
          workers.forEach(Thread::interrupt);
        }
      }
    }
    if (cancelled) throw new InterruptedException("the run was cancelled");
  }

  /// The first error of the engine itself in a superstep. Safe for many threads.
  private static final class Failure {
    private @Nullable Throwable first;

    synchronized void first(Throwable error) {
      if (first == null) first = error;
      else if (!first.equals(error)) first.addSuppressed(error);
    }

    synchronized void rethrow() {
      if (first instanceof RuntimeException e) throw e;
      if (first instanceof Error e) throw e;
    }
  }
}
