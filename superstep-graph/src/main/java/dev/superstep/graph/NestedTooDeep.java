package dev.superstep.graph;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// Graphs run inside of each other deeper than is allowed, as when two contain each other's runs
/// without end.
public final class NestedTooDeep extends SuperstepException {
  private static final long serialVersionUID = 1L;

  NestedTooDeep(String graph, List<String> path) {
    super(
        "graph.nested-too-deep",
        "Graph `"
            + graph
            + "` would run inside of "
            + NestingDepth.DEPTH_MAX
            + " others"
            + (path.isEmpty() ? "" : ", at " + String.join(" > ", path))
            + ". Flatten the nesting, or end the recursion earlier.",
        null);
  }

  /// How deep graphs may nest.
  public int limit() {
    return NestingDepth.DEPTH_MAX;
  }
}
