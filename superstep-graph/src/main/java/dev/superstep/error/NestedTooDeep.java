package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// Graphs run inside of each other deeper than is allowed, as when two contain each other's runs
/// without end.
public final class NestedTooDeep extends SuperstepException {
  private static final long serialVersionUID = 1L;

  private final int limit;

  /// @param path the nodes that lead to the graph
  /// @param limit how deep graphs may nest
  public NestedTooDeep(String graph, List<String> path, int limit) {
    super(
        "graph.nested-too-deep",
        "Graph `"
            + graph
            + "` would run inside of "
            + limit
            + " others"
            + (path.isEmpty() ? "" : ", at " + String.join(" > ", path))
            + ". Flatten the nesting, or end the recursion earlier.",
        null);
    this.limit = limit;
  }

  /// The deepest nesting that is allowed.
  public int limit() {
    return limit;
  }
}
