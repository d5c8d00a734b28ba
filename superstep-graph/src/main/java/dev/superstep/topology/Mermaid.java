package dev.superstep.topology;

import java.util.HashMap;
import java.util.Map;

/// Draws a topology as a Mermaid flowchart.
final class Mermaid {
  private final StringBuilder out = new StringBuilder("flowchart TD\n");
  private final Map<String, String> ids = new HashMap<>();
  private int joins;

  private Mermaid() {}

  static String of(Topology topology) {
    var drawing = new Mermaid();
    drawing.ids.put(Topology.START, "start");
    drawing.ids.put(Topology.END, "finish");
    drawing.line("start((start))");
    int number = 0;
    for (var node : topology.nodes()) {
      var id = "n" + number++;
      drawing.ids.put(node.name(), id);
      boolean sent = !node.argument().isEmpty();
      drawing.line(id + (sent ? "[[\"" : "[\"") + text(node.name()) + (sent ? "\"]]" : "\"]"));
    }
    drawing.line("finish((end))");
    topology.edges().forEach(drawing::edge);
    return drawing.out.toString();
  }

  private void edge(Topology.EdgeShape edge) {
    var to = ids.get(edge.to());
    switch (edge.kind()) {
      case DIRECT -> line(ids.get(edge.from().getFirst()) + " --> " + to);
      case ROUTED -> line(ids.get(edge.from().getFirst()) + " -.-> " + to);
      case COMMANDED -> line(ids.get(edge.from().getFirst()) + " -. command .-> " + to);
      case FAILED -> line(ids.get(edge.from().getFirst()) + " -. failed .-> " + to);
      case SENT -> line(ids.get(edge.from().getFirst()) + " == each ==> " + to);
      case JOINED -> {
        var join = "join" + joins++;
        line(join + "{{all}}");
        edge.from().forEach(from -> line(ids.get(from) + " --> " + join));
        line(join + " --> " + to);
      }
    }
  }

  private void line(String text) {
    out.append("  ").append(text).append('\n');
  }

  private static String text(String name) {
    return name.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
  }
}
