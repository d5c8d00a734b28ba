package dev.superstep.graph.internal.validation;

import dev.superstep.run.CyclePolicy;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the cycles that can never be left, and those that a graph's policy speaks of.
final class CycleCheck {
  private CycleCheck() {}

  static void check(
      Collection<String> nodes, List<EdgeShape> edges, CyclePolicy policy, Diagnostics findings) {
    // A node whose failure leads to a handler can leave a cycle.
    var leaving = new HashSet<String>();
    for (var edge : edges) if (edge.kind() == EdgeKind.FAILED) leaving.addAll(edge.from());
    Map<String, Set<String>> always = new HashMap<>();
    Map<String, Set<String>> all = new HashMap<>();
    for (var edge : edges) {
      // The sources of a trigger are tokens, not nodes.
      if (edge.kind() == EdgeKind.TRIGGERED) continue;
      if (edge.to().equals(Topology.START) || edge.to().equals(Topology.END)) continue;
      for (var from : edge.from()) {
        all.computeIfAbsent(from, _ -> new LinkedHashSet<>()).add(edge.to());
        if (edge.kind() == EdgeKind.DIRECT && !leaving.contains(from)) {
          always.computeIfAbsent(from, _ -> new LinkedHashSet<>()).add(edge.to());
        }
      }
    }
    var endless = new HashSet<String>();
    for (var cycle : Cycles.in(nodes, always)) {
      endless.addAll(cycle);
      findings.error(
          "endless-cycle",
          "the cycle "
              + Cycles.show(cycle)
              + " can never be left, since each of its edges is always followed;"
              + " use a route for one of them");
    }
    // Joins in and after an endless cycle last as long as it does.
    if (endless.isEmpty()) {
      for (var cycle : EndlessJoins.in(nodes, edges, leaving)) {
        endless.addAll(cycle);
        findings.error(
            "endless-cycle",
            "the cycle "
                + Cycles.show(cycle)
                + " can never be left, since its edges are always followed and what its joins wait"
                + " for always comes; use a route for one of them");
      }
    }
    if (policy == CyclePolicy.ALLOW) return;
    for (var cycle : Cycles.in(nodes, all)) {
      if (cycle.stream().anyMatch(endless::contains)) continue;
      if (policy == CyclePolicy.FORBID) {
        findings.error("cycle", "the graph forbids cycles, but has " + Cycles.show(cycle));
      } else {
        findings.warning("cycle", "there is a cycle: " + Cycles.show(cycle));
      }
    }
  }
}
