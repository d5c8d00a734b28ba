package dev.superstep.graph.internal.kernel;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The task of an outer graph in which a subgraph runs. Safe for many threads.
///
/// @param isOver whether nobody waits for the attempt at the task any more; null if its time is not
///   limited
public record ParentTask(RunIdentity scope, Task task, @Nullable BooleanSupplier isOver) {
  public NodeSpec node() {
    return task.due().node();
  }

  /// Returns whether anybody waits for the end of the graph: an attempt that took too long is
  /// abandoned.
  public boolean isWaitedFor() {
    if (isOver != null && isOver.getAsBoolean()) return false;
    return scope.enclosing() == null || scope.enclosing().isWaitedFor();
  }
}
