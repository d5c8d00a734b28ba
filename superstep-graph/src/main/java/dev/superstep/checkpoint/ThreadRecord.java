package dev.superstep.checkpoint;

import java.util.List;

/// A thread, or a graph inside of it, as it stands: its newest checkpoint and what was saved of the
/// tasks that run from there. Immutable.
public record ThreadRecord(
    Saved latest, List<TaskRecord> tasks, List<StepRecord> steps, List<Answer> answers) {
  public ThreadRecord {
    tasks = List.copyOf(tasks);
    steps = List.copyOf(steps);
    answers = List.copyOf(answers);
  }
}
