package dev.superstep.language.check;

import dev.superstep.language.rag.RagCode;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Finds graphs of a source that are inside themselves.
final class GraphCycleCheck {
  private final Map<String, Checked> graphs;
  private final Map<String, Set<String>> inside = new HashMap<>();

  GraphCycleCheck(Map<String, Checked> graphs) {
    this.graphs = graphs;
    graphs.forEach((name, graph) -> {
      var used = inside.computeIfAbsent(name, _ -> new HashSet<>());
      for (var node : graph.blueprint.nodes()) node.graph().ifPresent(used::add);
    });
  }

  void check() {
    graphs.forEach((name, graph) -> {
      for (var node : graph.blueprint.nodes()) {
        var used = node.graph().orElse("");
        if (!used.equals(name) && !leadsTo(used, name)) continue;
        graph.report(
            RagCode.GRAPH_CYCLE,
            "node/" + node.name() + "/graph",
            "graph " + Checked.show(name) + " would be inside itself",
            "a graph repeats by a loop of its own edges");
      }
    });
  }

  private boolean leadsTo(String from, String wanted) {
    var seen = new HashSet<String>();
    var open = new ArrayDeque<String>();
    open.add(from);
    while (!open.isEmpty()) {
      for (var next : inside.getOrDefault(open.remove(), Set.of())) {
        if (next.equals(wanted)) return true;
        if (seen.add(next)) open.add(next);
      }
    }
    return false;
  }

  static Map<String, Checked> byName(Iterable<Checked> graphs) {
    var all = new LinkedHashMap<String, Checked>();
    for (var graph : graphs) all.put(graph.blueprint.graph(), graph);
    return all;
  }
}
