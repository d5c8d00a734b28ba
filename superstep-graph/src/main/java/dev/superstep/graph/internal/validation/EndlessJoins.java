package dev.superstep.graph.internal.validation;

import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds cycles that can never be left and whose way back is a join: whenever its nodes have run,
/// enough of what the join waits for runs again, and so the nodes after it.
///
/// Nodes of which each is always followed by one of them, and of which each has run, run for ever:
/// if they ended, the first of them to run for the last time would have been followed once more.
final class EndlessJoins {
  private final List<Way> ways = new ArrayList<>();
  private final Map<String, List<Way>> byFrom = new HashMap<>();

  /// An edge or join that is always followed once enough of its sources have run. Equal only to
  /// itself.
  private static final class Way {
    private final Set<String> from;
    private final String to;
    private final int needs;

    Way(Set<String> from, String to, int needs) {
      this.from = from;
      this.to = to;
      this.needs = needs;
    }
  }

  private EndlessJoins(List<EdgeShape> edges, Set<String> leaving) {
    for (var edge : edges) {
      if (edge.kind() != EdgeKind.DIRECT && edge.kind() != EdgeKind.JOINED) continue;
      if (edge.to().equals(Topology.END)) continue;
      var from = new LinkedHashSet<>(edge.from());
      // A node that may lead elsewhere does not always arrive.
      from.removeAll(leaving);
      var way = new Way(from, edge.to(), edge.kind() == EdgeKind.JOINED ? edge.needs() : 1);
      ways.add(way);
      for (var node : from) byFrom.computeIfAbsent(node, _ -> new ArrayList<>()).add(way);
    }
  }

  /// For graphs in which no cycle without a join is endless.
  ///
  /// @param leaving nodes whose failure may lead out of a cycle
  /// @return the nodes of each cycle in order; one cycle of a group is enough
  static List<List<String>> in(
      Collection<String> nodes, List<EdgeShape> edges, Set<String> leaving) {
    if (edges.stream().noneMatch(edge -> edge.kind() == EdgeKind.JOINED)) return List.of();
    var joins = new EndlessJoins(edges, leaving);
    var candidates = joins.lasting(nodes);
    if (candidates.isEmpty()) return List.of();
    var found = new ArrayList<List<String>>();
    var told = new HashSet<String>();
    var origins = new ArrayList<>(List.of(Topology.START));
    for (var node : nodes) if (candidates.contains(node)) origins.add(node);
    for (var origin : origins) {
      if (told.contains(origin)) continue;
      var lasting = joins.lasting(joins.following(origin));
      if (lasting.isEmpty() || !Collections.disjoint(lasting, told)) continue;
      told.addAll(lasting);
      found.add(joins.cycle(lasting));
    }
    return found;
  }

  /// Returns the nodes that certainly run once this node has run.
  private Set<String> following(String origin) {
    var following = new LinkedHashSet<>(List.of(origin));
    var arrived = new HashMap<Way, Integer>();
    var todo = new ArrayDeque<>(following);
    while (!todo.isEmpty()) {
      for (var way : byFrom.getOrDefault(todo.remove(), List.of())) {
        if (arrived.merge(way, 1, Integer::sum) == way.needs && following.add(way.to)) {
          todo.add(way.to);
        }
      }
    }
    return following;
  }

  /// The most of these nodes of which each is always followed by some of them.
  private Set<String> lasting(Collection<String> nodes) {
    var lasting = new LinkedHashSet<>(nodes);
    var spare = new HashMap<Way, Integer>();
    var support = new HashMap<String, Integer>();
    for (var way : ways) {
      int sources = (int) way.from.stream().filter(lasting::contains).count();
      spare.put(way, sources - way.needs);
      if (sources >= way.needs) support.merge(way.to, 1, Integer::sum);
    }
    var gone = new ArrayDeque<String>();
    for (var node : lasting) if (!support.containsKey(node)) gone.add(node);
    while (!gone.isEmpty()) {
      var node = gone.remove();
      lasting.remove(node);
      for (var way : byFrom.getOrDefault(node, List.of())) {
        if (spare.merge(way, -1, Integer::sum) != -1) continue;
        if (support.merge(way.to, -1, Integer::sum) == 0 && lasting.contains(way.to)) {
          gone.add(way.to);
        }
      }
    }
    return lasting;
  }

  /// A cycle among nodes that last: from any of them, back to what it follows until one comes up
  /// again.
  private List<String> cycle(Set<String> lasting) {
    var before = new HashMap<String, String>();
    for (var way : ways) {
      var sources = way.from.stream().filter(lasting::contains).toList();
      if (lasting.contains(way.to) && sources.size() >= way.needs) {
        before.putIfAbsent(way.to, sources.getFirst());
      }
    }
    var walked = new LinkedHashSet<String>();
    var node = lasting.iterator().next();
    while (walked.add(node)) node = before.get(node);
    var cycle = new ArrayList<>(walked);
    return cycle.subList(cycle.indexOf(node), cycle.size()).reversed();
  }
}
