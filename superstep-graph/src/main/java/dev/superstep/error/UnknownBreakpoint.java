package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// The options of a run name a place to pause that its graph does not have. Nothing has run.
public final class UnknownBreakpoint extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String graph;
  private final String node;

  /// @param suggestion a sentence, or nothing
  public UnknownBreakpoint(String graph, String node, String suggestion) {
    super(
        "graph.unknown-pause",
        ("Graph `%s` is to pause at node `%s`, which it does not have. Name one of its own"
                + " nodes in `RunOptions.breakpoints(...)`.%s")
            .formatted(graph, node, suggestion),
        null);
    this.graph = graph;
    this.node = node;
  }

  /// The graph.
  public String graph() {
    return graph;
  }

  /// The node that it does not have.
  public String node() {
    return node;
  }
}
