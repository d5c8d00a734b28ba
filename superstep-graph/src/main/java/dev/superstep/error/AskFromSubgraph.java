package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node that is a graph made a question of what its graph left. When the answer comes, the graph
/// inside would run again, and ask again.
public final class AskFromSubgraph extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public AskFromSubgraph(String node) {
    super(
        "graph.misplaced-ask",
        ("Node `%s` is a graph, and its output function returned a question. Ask in a node"
                + " of the graph inside, or in a node after this one.")
            .formatted(node),
        null);
    this.node = node;
  }

  /// The node.
  public String node() {
    return node;
  }
}
