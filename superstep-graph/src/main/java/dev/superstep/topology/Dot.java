package dev.superstep.topology;

/// Draws a chart in the DOT language of Graphviz; a subgraph becomes a cluster.
final class Dot implements Pen {
  private final StringBuilder out = new StringBuilder();
  private String indent = "  ";

  private Dot() {}

  static String of(Topology topology) {
    var pen = new Dot();
    pen.out.append("digraph ").append(text(Labels.visible(topology.graph()))).append(" {\n");
    pen.line("compound=true");
    pen.line("node [shape=box]");
    Drawing.draw(topology, pen);
    return pen.out.append("}\n").toString();
  }

  @Override
  public void terminal(String id, String label) {
    line(id + " [label=" + text(label) + ", shape=circle]");
  }

  @Override
  public void node(String id, String label, boolean sent) {
    line(id + " [label=" + text(label) + (sent ? ", peripheries=2]" : "]"));
  }

  @Override
  public void open(String id, String label) {
    line("subgraph " + cluster(id) + " {");
    indent += "  ";
    line("label=" + text(label));
  }

  @Override
  public void close() {
    indent = indent.substring(2);
    line("}");
  }

  @Override
  public void data(String id, String label) {
    line(id + " [label=" + text(label) + ", shape=parallelogram]");
  }

  @Override
  public void meeting(String id, String how) {
    line(id + " [label=" + text(how) + ", shape=hexagon]");
  }

  @Override
  public void unknown(String id, String label) {
    line(id + " [label=" + text(label) + ", style=dashed]");
  }

  @Override
  public void arrow(Spot from, Spot to, Line line, String word) {
    edge(from, to, line, word);
  }

  @Override
  public void choice(Spot from, Spot to, String label) {
    edge(from, to, Line.DOTTED, label);
  }

  /// Graphviz has no arrows between clusters: these lead from and to a node inside, and are cut off
  /// at the border of the cluster.
  private void edge(Spot from, Spot to, Line line, String label) {
    var looks = new StringBuilder();
    if (!label.isEmpty()) looks.append(", label=").append(text(label));
    switch (line) {
      case SOLID -> {}
      case DOTTED -> looks.append(", style=dashed");
      case THICK -> looks.append(", style=bold");
    }
    // An arrow from a cluster to itself has no border to be cut off at.
    if (!from.equals(to)) {
      if (from.graph()) looks.append(", ltail=").append(cluster(from.id()));
      if (to.graph()) looks.append(", lhead=").append(cluster(to.id()));
    }
    var ends =
        from.id()
            + (from.graph() ? "_finish" : "")
            + " -> "
            + to.id()
            + (to.graph() ? "_start" : "");
    line(looks.isEmpty() ? ends : ends + " [" + looks.substring(2) + "]");
  }

  private static String cluster(String id) {
    return "cluster_" + id;
  }

  private void line(String text) {
    out.append(indent).append(text).append('\n');
  }

  /// Labels know escapes such as `\N`, and entities such as `&lt;`.
  private static String text(String label) {
    return "\"" + label.replace("&", "&amp;").replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }
}
