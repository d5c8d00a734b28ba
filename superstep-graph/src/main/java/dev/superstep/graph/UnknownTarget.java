package dev.superstep.graph;

import dev.superstep.json.SuperstepException;

/// A router or command named a node to which it may not lead. The superstep is not committed.
public final class UnknownTarget extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String from;
  private final String target;

  UnknownTarget(String from, String target, String why) {
    super(
        "graph.unknown-target",
        (from.equals(Graph.START) ? "START" : "Node `" + from + "`")
            + " leads to `"
            + target
            + "`: "
            + why.replace(Graph.END, "END"),
        null);
    this.from = from;
    this.target = target;
  }

  /// The node whose router or command it was.
  public String from() {
    return from;
  }

  /// What it named.
  public String target() {
    return target;
  }
}
