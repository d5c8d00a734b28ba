package dev.superstep.language.bounds;

import dev.superstep.language.Span;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Item;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Finds how often the nodes of one graph can run. A node runs once a superstep, unless it is sent
/// arguments; the supersteps in which it may run are played through, up to the limit.
final class NodeRuns {
  private static final String START = "START";
  private static final int STEPS = 50;

  /// The supersteps that are played through; a graph that may run longer is taken to run in all.
  private static final int PLAYED_MAX = 10_000;

  private final Blueprint graph;
  private final Function<String, Span> places;
  private final Map<String, Set<String>> successors = new LinkedHashMap<>();
  private final Map<String, String> senders = new HashMap<>();

  /// @param handsOff whether a graph inside may hand off to nodes of this one
  NodeRuns(Blueprint graph, Function<String, Span> places, boolean handsOff) {
    this.graph = graph;
    this.places = places;
    connect();
    if (handsOff) connectAll();
  }

  private void link(String from, String to) {
    if (!to.equals(Edge.END)) successors.computeIfAbsent(from, _ -> new HashSet<>()).add(to);
  }

  private void connect() {
    var start = new NodeBlueprint("start", graph.start());
    start.targets().forEach(to -> link(START, to));
    sent(START, "graph/start", start);
    var handler = graph.nodeDefaults().find(Item.ON_FAILURE, Value.OnFailure.class);
    for (var node : graph.nodes()) {
      var name = node.name();
      node.targets().forEach(to -> link(name, to));
      sent(name, "node/" + name, node);
      node.onFailure()
          .or(() -> handler)
          .flatMap(Value.OnFailure::to)
          .ifPresent(to -> fails(name, to));
      node.sources().ifPresent(all -> all.nodes().forEach(from -> link(from, name)));
    }
    for (var edge : graph.edges()) {
      switch (edge) {
        case Edge.Direct(var from, var to) -> link(from, to);
        case Edge.Join(_, var from, var to) -> from.forEach(each -> link(each, to));
        case Edge.Trigger(_, var to) -> {
          link(START, to);
          for (var node : graph.nodes()) link(node.name(), to);
        }
      }
    }
  }

  /// A handler runs once for each task that fails.
  private void fails(String node, String handler) {
    link(node, handler);
    senders.putIfAbsent(handler, "node/" + node + "/on_failure");
  }

  private void sent(String from, String path, NodeBlueprint node) {
    for (var send : node.sends()) {
      link(from, send.to());
      senders.put(send.to(), path + "/sends");
    }
    node.fanOut()
        .ifPresent(fan -> {
          for (var to : fan.to()) {
            link(from, to);
            senders.put(to, path + "/fan_out");
          }
        });
  }

  private void connectAll() {
    for (var from : graph.nodes()) for (var to : graph.nodes()) link(from.name(), to.name());
  }

  /// The bound of each node that can run.
  Map<String, Bound> all() {
    var supersteps =
        graph.nodes().stream().anyMatch(NodeBlueprint::isDeferred) ? summed() : played();
    var runs = new LinkedHashMap<String, Bound>();
    supersteps.forEach((name, often) -> runs.put(name, bound(name, often)));
    return runs;
  }

  private Bound bound(String name, long supersteps) {
    var path = senders.get(name);
    if (path == null) {
      var node = graph.node(name);
      var visits =
          node.map(n -> n.items().count(Item.VISITS)).orElse(java.util.OptionalInt.empty());
      return Bound.of(visits.isPresent() ? Math.min(visits.getAsInt(), supersteps) : supersteps);
    }
    if (path.endsWith("/on_failure")) {
      return bound(supersteps, name, path);
    }
    return Bound.unbounded(
        "node `" + name + "` runs once for each argument that it is sent", places.apply(path));
  }

  /// A handler runs once for each node that fails, and as often as that one does.
  private Bound bound(long supersteps, String name, String path) {
    long failing = 0;
    for (var node : graph.nodes()) {
      if (!successors.getOrDefault(node.name(), Set.of()).contains(name)) continue;
      var from = senders.get(node.name());
      if (from != null && !from.endsWith("/on_failure")) {
        return Bound.unbounded(
            "node `" + name + "` handles each failure of a node that is sent arguments",
            places.apply(path));
      }
      failing++;
    }
    return Bound.of(supersteps * Math.max(1, failing));
  }

  private int limit() {
    var own = graph.defaults().count(Item.RECURSION_LIMIT);
    var total = graph.defaults().count(Item.TOTAL_LIMIT);
    int steps = own.orElse(STEPS);
    return total.isPresent() ? Math.min(steps, total.getAsInt()) : steps;
  }

  /// The number of supersteps in which each node may run.
  private Map<String, Long> played() {
    var often = new LinkedHashMap<String, Long>();
    Set<String> active = successors.getOrDefault(START, Set.of());
    int limit = limit();
    for (int step = 1; step <= limit && !active.isEmpty(); step++) {
      if (step > PLAYED_MAX) return everywhere(limit);
      var next = new HashSet<String>();
      for (var node : active) {
        often.merge(node, 1L, Long::sum);
        next.addAll(successors.getOrDefault(node, Set.of()));
      }
      active = next;
    }
    return often;
  }

  private Map<String, Long> everywhere(long limit) {
    var often = new LinkedHashMap<String, Long>();
    for (var node : graph.nodes()) often.put(node.name(), limit);
    return often;
  }

  /// Counts the ways to each node: where nodes are deferred, supersteps are not what they seem.
  private Map<String, Long> summed() {
    long limit = limit();
    var waiting = new HashMap<String, Integer>();
    successors.values().forEach(all -> all.forEach(to -> waiting.merge(to, 1, Integer::sum)));
    var often = new LinkedHashMap<String, Long>();
    var ready = new ArrayList<>(List.of(START));
    int done = 0;
    for (int i = 0; i < ready.size(); i++) {
      var from = ready.get(i);
      long runs = from.equals(START) ? 1 : often.getOrDefault(from, 0L);
      for (var to : successors.getOrDefault(from, Set.of())) {
        often.merge(to, runs, (a, b) -> Math.min(limit, a + b));
        if (waiting.merge(to, -1, Integer::sum) == 0) {
          ready.add(to);
          done++;
        }
      }
    }
    return done == waiting.size() ? often : everywhere(limit);
  }
}
