package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A thread was to be changed as a node that its graph does not have. Nothing was changed.
public final class InvalidStateUpdate extends SuperstepException {
  private final String graph;
  private final String node;

  /// @param suggestion a sentence, or nothing
  public InvalidStateUpdate(String graph, String node, String suggestion) {
    super(
        "graph.unknown-edit",
        ("Graph `%s` has no node `%s`, as which its state was to be changed. Name a node of"
                + " the graph.%s")
            .formatted(graph, node, suggestion));
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
