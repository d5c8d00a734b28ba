package dev.superstep.graph.internal.validation;

import dev.superstep.graph.internal.kernel.GraphDefinition;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Finds joins that one router keeps from ever getting what they need: it chooses one of several
/// targets, and each source of the join lies behind another of them. A router that a cycle leads
/// back to may choose another one later, so it keeps nobody away.
///
/// Each choice of such a router is a place of its own between the router and the target. A node
/// lies behind a choice if every path from START to it goes through that place.
final class StarvingJoins {
  private final Map<String, Integer> places = new HashMap<>();
  private final List<List<Integer>> steps = new ArrayList<>();

  private final Map<Integer, NodeSpec.Route> choices = new HashMap<>();
  private int[] dominators = {};

  private StarvingJoins() {}

  static void check(GraphDefinition definition, List<EdgeShape> edges, Diagnostics findings) {
    boolean joins = edges.stream().anyMatch(e -> e.kind() == EdgeKind.JOINED && e.needs() > 1);
    if (joins && definition.routes.stream().anyMatch(StarvingJoins::excludes)) {
      new StarvingJoins().find(definition, edges, findings);
    }
  }

  private static boolean excludes(NodeSpec.Route route) {
    return route.one() && new LinkedHashSet<>(route.targets()).size() > 1;
  }

  private void find(GraphDefinition definition, List<EdgeShape> edges, Diagnostics findings) {
    place(Topology.START);
    for (var node : definition.nodes) place(node.name());
    for (var edge : edges) {
      if (edge.kind() == EdgeKind.ROUTED) continue;
      if (edge.kind() == EdgeKind.TRIGGERED) {
        // Any node may have written its tokens.
        step(0, edge.to());
        continue;
      }
      for (var from : edge.from()) step(place(from), edge.to());
    }
    for (var route : definition.routes) choices(route);
    var nexts = new int[steps.size()][];
    for (int i = 0; i < nexts.length; i++) {
      nexts[i] = steps.get(i).stream().mapToInt(Integer::intValue).toArray();
    }
    dominators = Dominators.of(nexts);
    for (var edge : edges) if (edge.kind() == EdgeKind.JOINED) judge(edge, findings);
  }

  private void choices(NodeSpec.Route route) {
    int from = place(route.from());
    for (var target : new LinkedHashSet<>(route.targets())) {
      int at = from;
      if (excludes(route)) {
        at = steps.size();
        steps.add(new ArrayList<>());
        steps.get(from).add(at);
        choices.put(at, route);
      }
      step(at, target);
    }
  }

  private int place(String node) {
    var known = places.get(node);
    if (known != null) return known;
    int place = steps.size();
    places.put(node, place);
    steps.add(new ArrayList<>());
    return place;
  }

  private void step(int from, String to) {
    if (!to.equals(Topology.END)) steps.get(from).add(place(to));
  }

  private void judge(EdgeShape join, Diagnostics findings) {
    // For each router, how many sources lie behind which of its choices.
    var behind = new LinkedHashMap<NodeSpec.Route, Map<Integer, Integer>>();
    for (var source : join.from()) {
      for (int at = choiceAbove(place(source)); at >= 0; at = choiceAbove(at)) {
        var route = Objects.requireNonNull(choices.get(at));
        behind.computeIfAbsent(route, _ -> new HashMap<>()).merge(at, 1, Integer::sum);
      }
    }
    for (var entry : behind.entrySet()) {
      var route = entry.getKey();
      int free = join.from().size();
      int most = 0;
      for (int many : entry.getValue().values()) {
        free -= many;
        most = Math.max(most, many);
      }
      if (free + most >= join.needs() || isOnCycle(place(route.from()))) continue;
      findings.warning("starving-join", message(join, route, free + most));
      return;
    }
  }

  /// The nearest choice before a place that every path to it goes through, or -1.
  private int choiceAbove(int place) {
    int at = dominators[place];
    while (at >= 0 && !choices.containsKey(at)) at = dominators[at];
    return at;
  }

  private boolean isOnCycle(int place) {
    var seen = new BitSet();
    var todo = new ArrayDeque<>(List.of(place));
    while (!todo.isEmpty()) {
      for (int next : steps.get(todo.remove())) {
        if (next == place) return true;
        if (seen.get(next)) continue;
        seen.set(next);
        todo.add(next);
      }
    }
    return false;
  }

  private static String message(EdgeShape join, NodeSpec.Route route, int most) {
    return "the join "
        + Validation.show(join)
        + " may wait for ever: it needs "
        + join.needs()
        + " sources, but the router after "
        + (route.from().equals(Topology.START) ? "START" : "`" + route.from() + "`")
        + " chooses one way, and then at most "
        + most
        + " can come; lead every branch to the join, or let it need less";
  }
}
