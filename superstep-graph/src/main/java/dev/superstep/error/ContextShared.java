package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// An item of a [dev.superstep.graph.Parallel] asked, or took a step, through the context around
/// it: two items would get each other's answers and results.
public final class ContextShared extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public ContextShared(String node) {
    super(
        "graph.context-shared",
        ("An item in node `%s` uses the context around it, which waits for its items. Use"
                + " the context that the item was given.")
            .formatted(node),
        null);
    this.node = node;
  }

  /// The node.
  public String node() {
    return node;
  }
}
