package dev.superstep.graph.internal.run;

import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.persistence.RunWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides when the tasks of supersteps run, and on which threads. For the run's own thread.
interface TaskScheduler {
  static TaskScheduler of(RunScope scope, RunWriter writer, boolean isAheadAllowed) {
    var barrier = new BarrierScheduler(scope, writer);
    var ahead = isAheadAllowed ? DataflowScheduler.of(scope, writer, barrier) : null;
    return ahead == null ? barrier : ahead;
  }

  /// The run has come to a superstep.
  ///
  /// @return the superstep, with those tasks in place that were begun before
  default Superstep arrive(Superstep step) {
    return step;
  }

  /// Runs the tasks of the superstep that the run has come to.
  ///
  /// @param known how tasks had ended before this run, in task order; empty if none had
  /// @param isLast whether nothing comes after a lone task that waits for an answer
  /// @return how each ended, in task order
  List<TaskResult> run(Superstep step, List<@Nullable TaskResult> known, boolean isLast)
      throws InterruptedException;

  /// The place that was reserved for the checkpoint of the superstep that the run is in, if tasks
  /// were begun after it; else null.
  default RunWriter.@Nullable Reserved next() {
    return null;
  }

  /// Whether tasks of later supersteps may begin.
  default boolean isAhead() {
    return false;
  }

  /// Waits until all tasks have ended; none is started any more.
  default void finish() throws InterruptedException {}

  /// Does so when the run has failed.
  default void finish(Throwable why) {}
}
