package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import java.util.ArrayList;
import java.util.List;

/// What is due next and what is held back until nothing else is. Immutable.
///
/// @param due in task order
/// @param held deferred nodes
record Deferral(List<Due> due, HeldTasks held) {
  /// Parts what a superstep activated. When nothing else is due, all that was held is due.
  ///
  /// @param before what was held already
  static Deferral of(List<Due> active, HeldTasks before) {
    var due = new ArrayList<Due>();
    var deferred = new ArrayList<Due>();
    for (var one : active) {
      // One that was asked had its turn to wait before.
      boolean waits = one.node().deferred && !(one.activation() instanceof Activation.Resumed);
      (waits ? deferred : due).add(one);
    }
    var held = deferred.isEmpty() ? before : before.with(deferred);
    return due.isEmpty() ? new Deferral(held.all(), HeldTasks.NONE) : new Deferral(due, held);
  }
}
