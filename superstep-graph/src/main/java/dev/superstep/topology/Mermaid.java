package dev.superstep.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Draws a topology as a Mermaid flowchart; a graph inside a node becomes a box.
final class Mermaid {
  private final StringBuilder out;
  private final String prefix;
  private final String indent;
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, String> data = new HashMap<>();
  private int joins;

  private Mermaid(StringBuilder out, String prefix, String indent) {
    this.out = out;
    this.prefix = prefix;
    this.indent = indent;
  }

  static String of(Topology topology) {
    var out = new StringBuilder("flowchart TD\n");
    new Mermaid(out, "", "  ").draw(topology);
    return out.toString();
  }

  private void draw(Topology topology) {
    ids.put(Topology.START, prefix + "start");
    ids.put(Topology.END, prefix + "finish");
    line(prefix + "start((start))");
    int number = 0;
    for (var node : topology.nodes()) {
      var id = prefix + "n" + number++;
      ids.put(node.name(), id);
      node(node, id);
    }
    line(prefix + "finish((end))");
    topology.edges().forEach(this::edge);
  }

  private void node(Topology.NodeShape node, String id) {
    if (node.inside().isPresent()) {
      line("subgraph " + id + "[\"" + label(node) + "\"]");
      new Mermaid(out, id + "_", indent + "  ").draw(node.inside().get());
      line("end");
    } else if (node.argument().isEmpty()) {
      line(id + "[\"" + label(node) + "\"]");
    } else {
      line(id + "[[\"" + label(node) + "\"]]");
    }
  }

  private void edge(Topology.EdgeShape edge) {
    var to = java.util.Objects.requireNonNull(ids.get(edge.to()));
    switch (edge.kind()) {
      case DIRECT -> line(ids.get(edge.from().getFirst()) + " --> " + to);
      case ROUTED -> {
        var arrow = edge.label().isEmpty() ? " -.-> " : " -. " + text(edge.label()) + " .-> ";
        line(ids.get(edge.from().getFirst()) + arrow + to);
      }
      case COMMANDED -> line(ids.get(edge.from().getFirst()) + " -. command .-> " + to);
      case ADDED -> line(ids.get(edge.from().getFirst()) + " -. adds .-> " + to);
      case FAILED -> line(ids.get(edge.from().getFirst()) + " -. failed .-> " + to);
      case HANDED_OFF -> line(ids.get(edge.from().getFirst()) + " -. handed off .-> " + to);
      case SENT -> line(ids.get(edge.from().getFirst()) + " == each ==> " + to);
      case JOINED -> {
        var how = policy(edge.needs(), edge.from().size());
        meet(edge.from().stream().map(ids::get).toList(), how, to);
      }
      case TRIGGERED -> {
        var data = edge.from().stream().map(this::data).toList();
        if (data.size() == 1) line(data.getFirst() + " --> " + to);
        else meet(data, "all", to);
      }
    }
  }

  private void meet(List<String> from, String how, String to) {
    var join = prefix + "join" + joins++;
    line(join + "{{" + how + "}}");
    from.forEach(one -> line(one + " --> " + join));
    line(join + " --> " + to);
  }

  /// Channels are drawn only where they trigger.
  private String data(String channel) {
    var known = data.get(channel);
    if (known != null) return known;
    var id = prefix + "data" + data.size();
    data.put(channel, id);
    line(id + "[/\"" + text(channel) + "\"/]");
    return id;
  }

  private static String policy(int needs, int sources) {
    if (needs == sources) return "all";
    return needs == 1 ? "any" : needs + " of " + sources;
  }

  private void line(String text) {
    out.append(indent).append(text).append('\n');
  }

  private static String label(Topology.NodeShape node) {
    var gate =
        node.gate().isEmpty() ? "" : " (when " + String.join(" or ", node.gate()) + " changed)";
    return text(node.name() + (node.deferred() ? " (deferred)" : "") + gate);
  }

  private static String text(String name) {
    return name.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
  }
}
