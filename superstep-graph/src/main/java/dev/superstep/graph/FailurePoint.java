package dev.superstep.graph;

import java.util.ArrayList;
import java.util.List;

/// Where a run stood when it failed. Immutable.
///
/// @param graph the graph, which may be one inside of a node
/// @param step the superstep that was under way, from 1
/// @param due the nodes of its tasks, in task order; none if nothing was due any more
/// @param finished those of them that had ended; in a run that is kept they do not run again
/// @param held deferred nodes that wait until nothing else is due
public record FailurePoint(
    String graph, int step, List<String> due, List<String> finished, List<String> held) {
  public FailurePoint {
    due = List.copyOf(due);
    finished = List.copyOf(finished);
    held = List.copyOf(held);
  }

  /// @param tasks of the superstep that runs from there
  /// @param ends how they ended, as far as they have
  static FailurePoint of(
      String graph, Snapshot at, List<Task> tasks, List<? extends TaskResult> ends) {
    var finished = new ArrayList<String>();
    for (int i = 0; i < ends.size(); i++) {
      if (ends.get(i).isFollowed()) finished.add(tasks.get(i).node());
    }
    var held = at.position().held().all().stream().map(due -> due.node().name()).toList();
    var due = tasks.stream().map(Task::node).toList();
    return new FailurePoint(graph, at.step() + 1, due, finished, held);
  }
}
