package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.graph.internal.kernel.SuperstepLogs;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The records of tasks that a checkpoint takes over from the checkpoint that it replaces.
/// Immutable.
public record CarriedRecords(List<TaskRecord> tasks, List<StepRecord> steps, List<Answer> answers) {
  public static final CarriedRecords NOTHING = new CarriedRecords(List.of(), List.of(), List.of());

  /// Returns the saved records of these tasks, the logs of their superstep, and all answers, since
  /// answers to questions from inside a task do not name that task.
  public static CarriedRecords of(CheckpointWriter.LoadedCheckpoint loaded, Set<String> tasks) {
    var ended = loaded.tasks().values().stream().filter(t -> tasks.contains(t.task())).toList();
    var steps = new ArrayList<StepRecord>();
    loaded
        .steps()
        .forEach((task, results) -> {
          boolean isLog = task.equals(SuperstepLogs.MARK);
          if (isLog || tasks.contains(task)) add(task, results, steps);
        });
    var answers = new ArrayList<Answer>();
    loaded.answers().forEach((id, value) -> answers.add(new Answer(id, value)));
    return new CarriedRecords(ended, steps, answers);
  }

  private static void add(String task, Map<String, Json> results, List<StepRecord> steps) {
    results.forEach((key, result) -> steps.add(new StepRecord(task, key, result)));
  }

  /// Returns a copy with the marks that a run stopped there: the caller knows of the stop, and what
  /// is due is the same.
  public CarriedRecords withStops(CheckpointWriter.LoadedCheckpoint loaded) {
    var more = new ArrayList<>(steps);
    loaded
        .steps()
        .forEach((task, marks) -> {
          if (StopMarkers.isBreakpoint(task)) add(task, marks, more);
        });
    return new CarriedRecords(tasks, more, answers);
  }

  Commit with(Commit commit) {
    return commit.carrying(tasks, steps, answers);
  }
}
