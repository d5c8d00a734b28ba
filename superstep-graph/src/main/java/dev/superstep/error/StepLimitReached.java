package dev.superstep.error;

import java.util.List;

/// A run took its limit of supersteps, alone or together with its subgraphs, and more are due.
/// Finished supersteps are saved; resume the thread to give it as many again.
public final class StepLimitReached extends StepFailed {
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

  /// The error of a run that has taken its limit of supersteps together with its subgraphs.
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
