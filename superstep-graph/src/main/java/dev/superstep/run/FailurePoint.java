package dev.superstep.run;

import java.util.List;

/// The point at which a run failed. Immutable.
///
/// @param graph the graph, which may be a subgraph
/// @param step the superstep that was under way, from 1
/// @param due the nodes of its tasks, in task order; empty if nothing was due any more
/// @param finished those of them that had finished; in a run that is saved they do not run again
/// @param deferred nodes that wait until nothing else is due
public record FailurePoint(
    String graph, int step, List<String> due, List<String> finished, List<String> deferred) {
  public FailurePoint {
    due = List.copyOf(due);
    finished = List.copyOf(finished);
    deferred = List.copyOf(deferred);
  }
}
