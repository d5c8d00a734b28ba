package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node that is followed only by what its commands name returned none.
public final class MissingCommand extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public MissingCommand(String node) {
    super(
        "graph.missing-command",
        ("Node `%s` has destinations, so it must return a command. Return `Command.to(...)`,"
                + " with END to end this path, or give it edges.")
            .formatted(node),
        null);
    this.node = node;
  }

  /// The node.
  public String node() {
    return node;
  }
}
