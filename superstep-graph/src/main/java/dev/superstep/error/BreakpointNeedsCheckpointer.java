package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A run is to pause, but it is not kept, so that nobody could resume it.
public final class BreakpointNeedsCheckpointer extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String graph;

  public BreakpointNeedsCheckpointer(String graph) {
    super(
        "graph.pause-needs-checkpointer",
        ("Graph `%s` is to pause, but the run has no thread that is kept. Run it with"
                + " `RunOptions.thread(...).checkpoints(...)`.")
            .formatted(graph),
        null);
    this.graph = graph;
  }

  /// The graph.
  public String graph() {
    return graph;
  }
}
