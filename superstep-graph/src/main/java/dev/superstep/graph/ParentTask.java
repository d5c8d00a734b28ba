package dev.superstep.graph;

import org.jspecify.annotations.Nullable;

/// The task of an outer graph inside of which a graph runs. Safe for many threads.
///
/// @param watch over the attempt at the task, if its time is limited
record ParentTask(RunScope scope, Task task, @Nullable AttemptDeadline watch) {
  NodeSpec node() {
    return task.due().node();
  }

  /// Whether anybody will hear how the graph ends: an attempt that took too long is given up.
  boolean isWaitedFor() {
    if (watch != null && watch.isOver()) return false;
    return scope.enclosing() == null || scope.enclosing().isWaitedFor();
  }
}
