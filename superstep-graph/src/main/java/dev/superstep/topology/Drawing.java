package dev.superstep.topology;

import dev.superstep.topology.Pen.Line;
import dev.superstep.topology.Pen.Spot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Walks a topology and draws it with a pen, one of these for each subgraph.
final class Drawing {
  private final Pen pen;
  private final String prefix;
  private final Map<String, Spot> nodes = new HashMap<>();
  private final Map<String, Spot> data = new HashMap<>();
  private int unknown;
  private int joins;

  private Drawing(Pen pen, String prefix) {
    this.pen = pen;
    this.prefix = prefix;
  }

  /// @throws TopologyTooDeep if graphs are nested too deep
  static void draw(Topology topology, Pen pen) {
    Levels.check(topology);
    new Drawing(pen, "").draw(topology);
  }

  private void draw(Topology topology) {
    nodes.put(Topology.START, new Spot(prefix + "start", false));
    nodes.put(Topology.END, new Spot(prefix + "finish", false));
    pen.terminal(prefix + "start", "start");
    int number = 0;
    for (var node : topology.nodes()) node(node, prefix + "n" + number++);
    pen.terminal(prefix + "finish", "end");
    topology.edges().forEach(this::edge);
  }

  private void node(Topology.NodeShape node, String id) {
    nodes.put(node.name(), new Spot(id, node.inside().isPresent()));
    if (node.inside().isPresent()) {
      pen.open(id, Labels.of(node));
      new Drawing(pen, id + "_").draw(node.inside().get());
      pen.close();
    } else {
      pen.node(id, Labels.of(node), !node.argument().isEmpty());
    }
  }

  private void edge(Topology.EdgeShape edge) {
    switch (edge.kind()) {
      case DIRECT -> arrows(edge, Line.SOLID, "");
      case ROUTED -> routed(edge);
      case COMMANDED -> arrows(edge, Line.DOTTED, "command");
      case ADDED -> arrows(edge, Line.DOTTED, "adds");
      case FAILED -> arrows(edge, Line.DOTTED, "failed");
      case HANDED_OFF -> arrows(edge, Line.DOTTED, "handed off");
      case SENT -> arrows(edge, Line.THICK, "each");
      case JOINED ->
          meet(edge.from().stream().map(this::spot).toList(), Labels.policy(edge), spot(edge.to()));
      case TRIGGERED -> {
        var from = edge.from().stream().map(this::data).toList();
        if (from.size() == 1) arrow(from.getFirst(), spot(edge.to()));
        else meet(from, "all", spot(edge.to()));
      }
    }
  }

  private void routed(Topology.EdgeShape edge) {
    if (edge.label().isEmpty()) {
      arrows(edge, Line.DOTTED, "");
    } else {
      var label = Labels.visible(edge.label());
      for (var from : edge.from()) pen.choice(spot(from), spot(edge.to()), label);
    }
  }

  private void arrows(Topology.EdgeShape edge, Line line, String word) {
    for (var from : edge.from()) pen.arrow(spot(from), spot(edge.to()), line, word);
  }

  private void meet(List<Spot> from, String how, Spot to) {
    var join = new Spot(prefix + "join" + joins++, false);
    pen.meeting(join.id(), how);
    from.forEach(one -> arrow(one, join));
    arrow(join, to);
  }

  private void arrow(Spot from, Spot to) {
    pen.arrow(from, to, Line.SOLID, "");
  }

  private Spot spot(String name) {
    var known = nodes.get(name);
    if (known != null) return known;
    var spot = new Spot(prefix + "unknown" + unknown++, false);
    nodes.put(name, spot);
    pen.unknown(spot.id(), Labels.visible(name));
    return spot;
  }

  /// Channels are drawn only where they trigger.
  private Spot data(String channel) {
    var known = data.get(channel);
    if (known != null) return known;
    var spot = new Spot(prefix + "data" + data.size(), false);
    data.put(channel, spot);
    pen.data(spot.id(), Labels.visible(channel));
    return spot;
  }
}
