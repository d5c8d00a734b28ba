package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node needs a store and the run has none.
public final class MissingStore extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public MissingStore(String node) {
    super(
        "graph.missing-store",
        ("Node `%s` needs a store, and the run was not given one. Pass it as"
                + " `options.store(...)`, also when the thread is resumed.")
            .formatted(node),
        null);
    this.node = node;
  }

  /// The node.
  public String node() {
    return node;
  }
}
