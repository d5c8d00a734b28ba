package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.run.FailurePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A superstep that is due: the snapshot from which it starts and its tasks, in task order. The
/// known records are those that an earlier run left of the tasks. Immutable.
public record Superstep(Snapshot at, List<Task> tasks, ResumeRecords known) {
  public int number() {
    return at.step() + 1;
  }

  /// Returns whether its checkpoint also saves its only task.
  public boolean isLone() {
    if (tasks.size() != 1) return false;
    var task = tasks.getFirst();
    return !task.isEarly() && !task.isSkipped();
  }

  /// Returns whether every task waits for the answer to an earlier question, so that there is no
  /// superstep to begin.
  public boolean isWaiting() {
    for (var task : tasks) if (!task.isWaiting(known.answers())) return false;
    return true;
  }

  /// The questions of tasks that all wait.
  List<Interrupt> questions() {
    return tasks.stream().map(task -> Objects.requireNonNull(task.question())).toList();
  }

  /// The place where a run of a graph fails in this superstep.
  ///
  /// @param ends how its tasks ended, as far as they have
  public FailurePoint failurePoint(String graph, List<? extends TaskResult> ends) {
    var finished = new ArrayList<String>();
    for (int i = 0; i < ends.size(); i++) {
      if (ends.get(i).isFollowed()) finished.add(tasks.get(i).node());
    }
    var held = at.position().deferred().all().stream().map(due -> due.node().name()).toList();
    return new FailurePoint(
        graph, number(), tasks.stream().map(Task::node).toList(), finished, held);
  }

  /// The nodes that are due, each once.
  public List<String> due() {
    return at.position().due().stream().map(d -> d.node().name()).distinct().toList();
  }
}
