package dev.superstep.run;

import java.util.List;

/// Where a run stood when it failed. Immutable.
///
/// @param graph the graph, which may be one inside of a node
/// @param step the superstep that was under way, from 1
/// @param due the nodes of its tasks, in task order; none if nothing was due any more
/// @param finished those of them that had ended; in a run that is kept they do not run again
/// @param held deferred nodes that wait until nothing else is due
public record FailurePoint(
    String graph, int step, List<String> due, List<String> finished, List<String> deferred) {
  public FailurePoint {
    due = List.copyOf(due);
    finished = List.copyOf(finished);
    deferred = List.copyOf(deferred);
  }
}
