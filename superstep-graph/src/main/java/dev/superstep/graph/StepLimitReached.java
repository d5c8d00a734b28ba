package dev.superstep.graph;

import java.util.List;

/// A run took as many supersteps as it may, and more are due. What it did is kept; resume the
/// thread to give it as many again.
public final class StepLimitReached extends StepFailed {
  private static final long serialVersionUID = 1L;
  private final int limit;
  private final transient List<String> due;

  StepLimitReached(String graph, String run, int limit, List<String> due) {
    super(
        "graph.step-limit",
        "Run "
            + run
            + " of graph `"
            + graph
            + "` reached its limit of "
            + limit
            + " supersteps with "
            + due
            + " still due. If the loop is meant, raise `stepLimit` or resume the thread.",
        null);
    this.limit = limit;
    this.due = List.copyOf(due);
  }

  /// The limit.
  public int limit() {
    return limit;
  }

  /// The nodes that would have run next.
  public List<String> due() {
    return due;
  }
}
