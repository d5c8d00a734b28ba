package dev.superstep.checkpoint;

import java.util.List;

/// The stored state of a thread, or of a subgraph in it: its newest checkpoint and the records of
/// the tasks that run from there. Immutable.
public record ThreadRecord(
    Saved latest, List<TaskRecord> tasks, List<StepRecord> steps, List<Answer> answers) {
  public ThreadRecord {
    tasks = List.copyOf(tasks);
    steps = List.copyOf(steps);
    answers = List.copyOf(answers);
  }
}
