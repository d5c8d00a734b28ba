package dev.superstep.server.internal.wire;

import dev.superstep.topology.Topology;
import dev.superstep.topology.Topology.EdgeKind;
import dev.superstep.topology.Topology.EdgeShape;
import dev.superstep.topology.Topology.NodeShape;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Draws the shape of a graph as LangGraph's studio reads it. For one graph and one thread.
final class GraphDrawing {
  private final int levels;
  private final ObjectNode json = Trees.object();
  private final Set<Line> lines = new LinkedHashSet<>();

  /// @param levels how many levels of graphs inside are drawn in place of their nodes
  GraphDrawing(int levels) {
    this.levels = levels;
  }

  private record Line(String from, String to, boolean isConditional, String label) {}

  /// The ends of a node that is drawn as the graph inside it.
  private record Ends(List<String> first, List<String> last) {}

  ObjectNode of(Topology topology) {
    var nodes = json.putArray("nodes");
    node(nodes.addObject(), Topology.START, Topology.START);
    inner(topology, "", levels);
    node(nodes.addObject(), Topology.END, Topology.END);
    var edges = json.putArray("edges");
    for (var line : lines) {
      var edge = edges.addObject().put("source", line.from()).put("target", line.to());
      if (line.isConditional()) edge.put("conditional", true);
      if (!line.label().isEmpty()) edge.put("data", line.label());
    }
    return json;
  }

  private static void node(ObjectNode node, String id, String name) {
    node.put("id", id).put("type", "runnable");
    node.putObject("data").put("name", name);
  }

  /// Draws the nodes of a graph and the edges among them.
  ///
  /// @param prefix of their ids
  private Ends inner(Topology topology, String prefix, int deeper) {
    var opened = new LinkedHashMap<String, Ends>();
    for (var node : topology.nodes()) {
      var inside = node.inside();
      if (inside.isPresent() && deeper > 0) {
        opened.put(node.name(), inner(inside.get(), prefix + node.name() + ":", deeper - 1));
      } else {
        draw(node, prefix);
      }
    }
    var first = new LinkedHashSet<String>();
    var last = new LinkedHashSet<String>();
    for (var edge : topology.edges()) {
      for (var from : sources(topology, edge)) {
        var sources = ends(from, prefix, opened).last();
        var targets = ends(edge.to(), prefix, opened).first();
        if (from.equals(Topology.START)) first.addAll(targets);
        if (edge.to().equals(Topology.END)) last.addAll(sources);
        boolean isOpen = from.equals(Topology.START) || edge.to().equals(Topology.END);
        // The start and the end of a graph inside are those of its node.
        if (prefix.isEmpty() || !isOpen) connect(edge, sources, targets);
      }
    }
    return new Ends(List.copyOf(first), List.copyOf(last));
  }

  private void draw(NodeShape node, String prefix) {
    node(json.withArray("nodes").addObject(), prefix + node.name(), prefix + node.name());
  }

  /// The nodes from which an edge comes; of a trigger, whose sources are channels, none is known.
  private static List<String> sources(Topology topology, EdgeShape edge) {
    if (edge.kind() == EdgeKind.TRIGGERED) return List.of();
    var known = new LinkedHashSet<String>();
    known.add(Topology.START);
    topology.nodes().forEach(node -> known.add(node.name()));
    return edge.from().stream().filter(known::contains).toList();
  }

  private static Ends ends(String node, String prefix, Map<String, Ends> opened) {
    var inner = opened.get(node);
    var id = List.of(prefix + node);
    return inner != null ? inner : new Ends(id, id);
  }

  private void connect(EdgeShape edge, List<String> sources, List<String> targets) {
    boolean isConditional = edge.kind() != EdgeKind.DIRECT && edge.kind() != EdgeKind.JOINED;
    for (var source : sources) {
      for (var target : targets) {
        lines.add(new Line(source, target, isConditional, edge.label()));
      }
    }
  }
}
