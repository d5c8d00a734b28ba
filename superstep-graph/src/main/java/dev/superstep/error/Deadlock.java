package dev.superstep.error;

import java.util.List;
import java.util.stream.Collectors;

/// Nothing can run any more, but a join still waits for a node, or a trigger for a token, that will
/// not come.
public final class Deadlock extends StepFailed {
  private final String graph;
  private final transient List<Waiting> waiting;

  public Deadlock(String graph, List<Waiting> waiting) {
    super(
        "graph.deadlock",
        "Graph `"
            + graph
            + "` is stuck: "
            + waiting.stream().map(Waiting::text).collect(Collectors.joining("; "))
            + ", and nothing is left to run. Lead every branch to what waits, or route around it.",
        null);
    this.graph = graph;
    this.waiting = List.copyOf(waiting);
  }

  /// A join or trigger that can never fire.
  ///
  /// @param by the join as `a+b -> c`, or the trigger as `tokens a+b -> c`
  /// @param node the node that cannot run
  /// @param more how many of the missing would do
  /// @param missing the nodes or channels that it waits for; a barrier with what it lacks, as
  ///   `votes (bob, eve)`
  public record Waiting(String by, String node, int more, List<String> missing) {
    public Waiting {
      missing = List.copyOf(missing);
    }

    private String text() {
      var some = more < missing.size() ? more + " of " : "";
      return by + " still waits for " + some + String.join(", ", missing);
    }
  }

  /// The graph.
  public String graph() {
    return graph;
  }

  /// Everything that waits: joins first, then triggers.
  public List<Waiting> waiting() {
    return waiting;
  }
}
