package dev.superstep.topology;

import dev.superstep.json.SuperstepException;

/// Graphs are nested deeper than a topology can be drawn, compared or stored.
public final class TopologyTooDeep extends SuperstepException {
  private final String graph;

  TopologyTooDeep(String graph) {
    super(
        "graph.topology-too-deep",
        ("Graph `%s` holds graphs inside of each other more than %s levels deep. Flatten the"
                + " nesting.")
            .formatted(graph, Levels.MAX));
    this.graph = graph;
  }

  /// The name of the outermost graph.
  public String graph() {
    return graph;
  }

  /// The number of levels that are allowed, the outermost included.
  public int limit() {
    return Levels.MAX;
  }
}
