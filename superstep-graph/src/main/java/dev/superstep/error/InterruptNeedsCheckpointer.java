package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node asked a question in a run that is not kept, so that no answer could ever reach it.
public final class InterruptNeedsCheckpointer extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;

  public InterruptNeedsCheckpointer(String node) {
    super(
        "graph.interrupt-needs-checkpointer",
        ("Node `%s` asked a question, but the run has no thread that is kept. Run it with"
                + " `RunOptions.thread(...).checkpoints(...)`.")
            .formatted(node),
        null);
    this.node = node;
  }

  /// The node.
  public String node() {
    return node;
  }
}
