package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// What is due next and what is held back until nothing else is. Immutable.
///
/// @param due in task order
/// @param held deferred nodes, in task order
record Deferral(List<Due> due, List<Due> held) {
  /// Parts what a superstep activated. When nothing else is due, all that was held is due.
  ///
  /// @param before what was held already
  static Deferral of(List<Due> active, List<Due> before) {
    var due = new ArrayList<Due>();
    var deferred = new ArrayList<Due>();
    for (var one : active) {
      // One that was asked had its turn to wait before.
      boolean waits = one.node().deferred && !(one.activation() instanceof Activation.Resumed);
      (waits ? deferred : due).add(one);
    }
    var held = deferred.isEmpty() ? before : merged(before, deferred);
    return due.isEmpty() ? new Deferral(held, List.of()) : new Deferral(due, held);
  }

  /// Plain ones once each, in order of declaration, then sent ones in sending order.
  private static List<Due> merged(List<Due> before, List<Due> more) {
    var plain = new TreeMap<Integer, Due>();
    var sent = new ArrayList<Due>();
    for (var dues : List.of(before, more)) {
      for (var due : dues) {
        if (due.node().takesArgument()) sent.add(due);
        // What it takes by now is more than what it took when it was held back.
        else if (due.activation() instanceof Activation.Triggered)
          plain.put(due.node().index(), due);
        else plain.putIfAbsent(due.node().index(), due);
      }
    }
    var merged = new ArrayList<Due>(plain.values());
    merged.addAll(sent);
    return merged;
  }
}
