package dev.superstep.graph.internal.run;

import dev.superstep.graph.internal.execution.LoopThread;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.execution.SuperstepWriter;
import dev.superstep.graph.internal.execution.TaskPool;
import dev.superstep.graph.internal.execution.TaskRun;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs the tasks of one superstep after those of the one before.
final class BarrierScheduler implements TaskScheduler {
  private final RunScope scope;
  private final SuperstepWriter superstepWriter;
  private final TaskPool pool;
  private final LoopThread.@Nullable Loop loop;

  /// @param loop the loop of the run, if any thread can continue it
  BarrierScheduler(
      RunScope scope, SuperstepWriter superstepWriter, LoopThread.@Nullable Loop loop) {
    this.scope = scope;
    this.loop = loop;
    this.superstepWriter = superstepWriter;
    this.pool =
        new TaskPool(scope.run(), scope.options().concurrency(), scope::carried, scope.limits());
  }

  @Override
  public List<TaskResult> run(Superstep step, List<@Nullable TaskResult> known)
      throws InterruptedException {
    var answers = step.known().answers();
    var lone = step.isLone() && !scope.limits().isCounted() ? loop : null;
    Function<Task, @Nullable TaskResult> body =
        task -> new TaskRun(scope, superstepWriter, step.at(), task, lone).run(answers);
    var tasks = known.isEmpty() ? step.tasks() : unknown(step.tasks(), known);
    var fresh = scope.limits().isCounted() ? oneByOne(tasks, body) : pool.run(tasks, body);
    checkCancelled(fresh);
    if (known.isEmpty()) return fresh;
    var all = new ArrayList<TaskResult>(known.size());
    int next = 0;
    for (var end : known) all.add(end != null ? end : fresh.get(next++));
    return all;
  }

  private static List<Task> unknown(List<Task> tasks, List<@Nullable TaskResult> known) {
    var unknown = new ArrayList<Task>();
    for (int i = 0; i < tasks.size(); i++) if (known.get(i) == null) unknown.add(tasks.get(i));
    return unknown;
  }

  /// Runs as many tasks as the run may begin, in task order; the others wait for their turn.
  private List<TaskResult> oneByOne(List<Task> tasks, Function<Task, @Nullable TaskResult> body)
      throws InterruptedException {
    var ends = new ArrayList<TaskResult>(tasks.size());
    for (var task : tasks) {
      if (scope.limits().isSpent()) {
        ends.add(new TaskResult.Waiting(new Wait.ForTurn()));
        continue;
      }
      if (!task.due().node().isSubgraph) scope.limits().begin();
      var end = pool.run(List.of(task), body);
      checkCancelled(end);
      ends.addAll(end);
    }
    return ends;
  }

  @Override
  public List<TaskResult> checked(List<TaskResult> ends) throws InterruptedException {
    checkCancelled(ends);
    return ends;
  }

  /// A task that runs on the run's own thread is cancelled by interrupting that thread.
  private void checkCancelled(List<TaskResult> fresh) throws InterruptedException {
    for (var end : fresh) {
      boolean isStopped = end instanceof TaskResult.Failed && scope.limits().isCancelled();
      if (isStopped) throw cancelled(((TaskResult.Failed) end).error());
    }
    if (fresh.size() != 1 || !(fresh.getFirst() instanceof TaskResult.Failed(var error))) return;
    // On a thread of the engine's own, an interruption comes from the node unless the run is
    // cancelled.
    if (scope.limits().isOnlyCancelledBySwitch() && !scope.limits().isCancelled()) return;
    // The deadline interrupts, too: a graph inside may notice it first. An interruption of the
    // caller is known to the limits.
    if (error instanceof InterruptedException && scope.limits().isPastDeadline()) return;
    if (error instanceof InterruptedException || Thread.interrupted()) throw cancelled(error);
  }

  private static InterruptedException cancelled(Throwable error) {
    var cancelled = new InterruptedException("the run was cancelled");
    cancelled.addSuppressed(error);
    return cancelled;
  }
}
