package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node returned null instead of a result.
public final class ReturnedNull extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public ReturnedNull(String node) {
    super(
        "graph.returned-null",
        "Node `" + node + "` returned null. Return `NodeResult.nothing()` to write nothing.",
        null);
    this.node = node;
  }

  /// The node.
  public String node() {
    return node;
  }
}
