package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import java.util.ArrayList;
import java.util.List;

/// The tasks that are due next, and the deferred ones that wait until nothing else is due.
/// Immutable.
///
/// @param due in task order
/// @param deferred deferred nodes
record Deferral(List<PendingTask> due, DeferredTasks deferred) {
  /// Splits the tasks that a superstep activated. When nothing else is due, all deferred tasks are
  /// due.
  ///
  /// @param before the tasks that were deferred already
  static Deferral of(List<PendingTask> active, DeferredTasks before) {
    var due = new ArrayList<PendingTask>();
    var deferred = new ArrayList<PendingTask>();
    for (var one : active) {
      // One that was asked had its turn to wait before.
      boolean waits = one.node().deferred && !(one.activation() instanceof Activation.Resumed);
      (waits ? deferred : due).add(one);
    }
    var held = deferred.isEmpty() ? before : before.with(deferred);
    return due.isEmpty() ? new Deferral(held.all(), DeferredTasks.NONE) : new Deferral(due, held);
  }
}
