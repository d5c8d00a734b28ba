package dev.superstep.graph.internal.run;

import dev.superstep.graph.internal.execution.LoopThread;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.execution.SuperstepWriter;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.persistence.RunWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides when the tasks of supersteps run, and on which threads. For the run's own thread.
interface TaskScheduler {
  /// The scheduler that fits a run.
  ///
  /// @param superstepWriter saves the ends of tasks
  /// @param loop the loop of the run
  static TaskScheduler of(
      RunScope scope, RunWriter writer, SuperstepWriter superstepWriter, LoopThread.Loop loop) {
    if (!DataflowScheduler.isFor(scope)) return new BarrierScheduler(scope, superstepWriter, loop);
    // Tasks of several supersteps are in flight.
    var barrier = new BarrierScheduler(scope, superstepWriter, null);
    return new DataflowScheduler(scope, writer, superstepWriter, barrier);
  }

  /// Returns whether a loop saves nothing but tasks and checkpoints: it marks no breakpoint and
  /// begins no task early.
  static boolean isPlain(RunScope scope) {
    return BreakpointCheck.of(scope) == null && !DataflowScheduler.isFor(scope);
  }

  /// Prepares a superstep to which the run has come.
  ///
  /// @return the superstep, with those tasks in place that were begun before
  default Superstep arrive(Superstep step) {
    return step;
  }

  /// Runs the tasks of a superstep to which the run has come.
  ///
  /// @param known how tasks had ended before this run, in task order; empty if none had
  /// @return how each ended, in task order
  List<TaskResult> run(Superstep step, List<@Nullable TaskResult> known)
      throws InterruptedException;

  /// Returns how tasks ended, unless one of them ended because the run was cancelled.
  ///
  /// @throws InterruptedException if so
  default List<TaskResult> checked(List<TaskResult> ends) throws InterruptedException {
    return ends;
  }

  /// The place that was reserved for the checkpoint of the superstep that the run is in, if tasks
  /// were begun after it; else null.
  default RunWriter.@Nullable ReservedCheckpoint next() {
    return null;
  }

  /// Waits until all tasks have ended; none is started any more.
  default void finish() throws InterruptedException {}

  /// Does so when the run has failed.
  default void finish(Throwable why) {}
}
