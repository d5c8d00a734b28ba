package dev.superstep.error;

import java.util.List;

/// A run took as many supersteps as it may, alone or with the graphs inside it, and more are due.
/// What it did is kept; resume the thread to give it as many again.
public final class StepLimitReached extends StepFailed {
  private static final long serialVersionUID = 1L;
  private final int limit;
  private final transient List<String> due;

  private StepLimitReached(int limit, List<String> due, String message) {
    super("graph.step-limit", message, null);
    this.limit = limit;
    this.due = List.copyOf(due);
  }

  /// The error of a single graph that has taken its limit of supersteps.
  public static StepLimitReached ofOne(String graph, String run, int limit, List<String> due) {
    return new StepLimitReached(
        limit,
        due,
        "Run %s of graph `%s` reached its limit of %d supersteps with %s still due."
                .formatted(run, graph, limit, due)
            + " If the loop is meant, raise `stepLimit` or resume the thread.");
  }

  /// A run and the graphs inside it have together.
  public static StepLimitReached ofAll(String graph, String run, int limit, List<String> due) {
    return new StepLimitReached(
        limit,
        due,
        "Run %s reached its limit of %d supersteps with those of the graphs inside it, in graph"
                .formatted(run, limit)
            + " `%s` with %s still due.".formatted(graph, due)
            + " If loops in loops are meant, raise `totalStepLimit` or resume the thread.");
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
