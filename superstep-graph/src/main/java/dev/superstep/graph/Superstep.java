package dev.superstep.graph;

import dev.superstep.checkpoint.Interrupt;
import java.util.List;
import java.util.Objects;

/// A superstep that is due: the snapshot from which it starts and its tasks, in task order. The
/// known records are those that an earlier run left of the tasks. Immutable.
record Superstep(Snapshot at, List<Task> tasks, ResumeRecords known) {
  int number() {
    return at.step() + 1;
  }

  /// Whether its checkpoint saves its only task, too.
  boolean isLone() {
    if (tasks.size() != 1) return false;
    var task = tasks.getFirst();
    return !task.isEarly() && !task.isSkipped();
  }

  /// Whether every task waits for the answer to a question that it asked before, so that there is
  /// no superstep to begin.
  boolean isWaiting() {
    for (var task : tasks) if (!task.isWaiting(known.answers())) return false;
    return true;
  }

  /// The questions of tasks that all wait.
  List<Interrupt> questions() {
    return tasks.stream().map(task -> Objects.requireNonNull(task.question())).toList();
  }

  /// The nodes that are due, each once.
  List<String> due() {
    return at.position().due().stream().map(d -> d.node().name()).distinct().toList();
  }
}
