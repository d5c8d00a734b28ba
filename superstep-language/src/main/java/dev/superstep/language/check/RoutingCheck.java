package dev.superstep.language.check;

import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.RagCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Checks that there is one answer to what follows a node.
final class RoutingCheck {
  private static final List<Item> EXCLUSIVE = List.of(Item.ROUTES, Item.NEXT, Item.DESTINATIONS);

  private final Checked graph;
  private final Map<String, Integer> firstEdge = new HashMap<>();

  RoutingCheck(Checked graph) {
    this.graph = graph;
    var edges = graph.blueprint.edges();
    for (int i = 0; i < edges.size(); i++) {
      if (edges.get(i) instanceof Edge.Direct(var from, _)) firstEdge.putIfAbsent(from, i);
    }
  }

  private record Way(String words, String path) {}

  void check() {
    for (var node : graph.blueprint.nodes()) {
      var path = "node/" + node.name();
      mixed(node, ways(node, path));
      if (node.router().isPresent() && !graph.places().has(path + "/routes")) {
        graph.report(
            RagCode.MISSING_ITEM,
            path + "/router/keyword",
            "a router without `routes` has nothing to choose from",
            "add `routes { label -> node }`");
      }
    }
    var start = graph.blueprint.start();
    if (start.has(Item.ROUTER_NAME) != start.has(Item.ROUTES)) {
      graph.report(
          start.has(Item.ROUTES) ? RagCode.MISSING_ROUTER : RagCode.MISSING_ITEM,
          "graph/start",
          "`start` needs both a `router` and its `routes`",
          "add the other one");
    }
  }

  private List<Way> ways(NodeBlueprint node, String path) {
    var ways = new ArrayList<Way>();
    for (var item : EXCLUSIVE) {
      if (node.items().has(item)) {
        ways.add(new Way("`" + item.word() + "`", path + "/" + item.word() + "/keyword"));
      }
    }
    if (node.command().filter(command -> command.target().isPresent()).isPresent()) {
      ways.add(new Way("`command`", path + "/command/keyword"));
    }
    var edge = firstEdge.get(node.name());
    if (edge != null) ways.add(new Way("an edge", "edge/" + edge));
    return ways;
  }

  private void mixed(NodeBlueprint node, List<Way> ways) {
    if (ways.size() < 2) return;
    ways.sort(java.util.Comparator.comparingInt(way -> graph.places().find(way.path()).start()));
    var first = ways.getFirst();
    for (var way : ways.subList(1, ways.size())) {
      graph.add(
          graph
              .at(
                  RagCode.MIXED_ROUTING,
                  way.path(),
                  "node "
                      + Checked.show(node.name())
                      + " is routed by "
                      + first.words()
                      + " and by "
                      + way.words())
              .also(graph.places().find(first.path()), "the other way")
              .help("keep one; `sends` and `added_destinations` go with each of them"));
    }
  }
}
