package dev.superstep.graph;

import dev.superstep.json.SuperstepException;

/// Nothing can run any more, but a join still waits for a node that will not come.
public final class Deadlock extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String join;

  Deadlock(String graph, String join, String missing) {
    super(
        "graph.deadlock",
        "Graph `"
            + graph
            + "` is stuck: join "
            + join
            + " still waits for "
            + missing
            + ", and nothing is left to run. Lead every branch to the join, or route around it.",
        null);
    this.join = join;
  }

  /// The join, as `a+b -> c`.
  public String join() {
    return join;
  }
}
