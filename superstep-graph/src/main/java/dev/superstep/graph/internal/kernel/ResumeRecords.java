package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.CorruptThread;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The records that an earlier run left of the tasks of a superstep. Immutable.
///
/// @param tasks how tasks ended, by task id
/// @param answers by interrupt id
/// @param steps the results of side effects, by task id and key
public record ResumeRecords(
    Map<String, TaskRecord> tasks,
    Map<String, Json> answers,
    Map<String, Map<String, Json>> steps) {
  public static final ResumeRecords NONE = new ResumeRecords(Map.of(), Map.of(), Map.of());

  /// In the place of a task; no task's id looks like this.
  private static final String NEXT = "next";

  private static final String CHECKPOINT = "checkpoint";
  private static final int ID_MAX = 200;

  /// Decodes the results of tasks.
  public interface Decoder {
    /// The result of a task that finished in an earlier run.
    TaskResult.Finished restored(TaskRecord.End.Finished end);

    /// The result of a task that handed off in an earlier run.
    TaskResult.Finished restored(TaskRecord.End.HandedOff end);
  }

  /// These records for a run with certain settings: tasks that wait are forgotten if they are to
  /// run again. What they had done in steps stays known.
  public ResumeRecords in(RunSettings options) {
    if (!options.rerunsWaiting) return this;
    var ended = new HashMap<>(tasks);
    ended.values().removeIf(record -> record.end() instanceof TaskRecord.End.Waiting);
    return new ResumeRecords(ended, answers, steps);
  }

  public Map<String, Json> steps(Task task) {
    return steps.isEmpty() ? Map.of() : steps.getOrDefault(task.id(), Map.of());
  }

  /// The result of a task that need not run again; null if it runs.
  public @Nullable TaskResult end(Task task, Decoder decoder) {
    if (task.isWaiting(answers)) {
      return TaskResult.Waiting.asking(List.of(Objects.requireNonNull(task.question())));
    }
    if (tasks.isEmpty()) return null;
    var record = tasks.get(task.id());
    if (record == null) return null;
    return switch (record.end()) {
      case TaskRecord.End.Finished finished -> decoder.restored(finished);
      case TaskRecord.End.HandedOff handed -> decoder.restored(handed);
      case TaskRecord.End.Waiting(var interrupts) -> {
        var open = interrupts.stream().filter(i -> !answers.containsKey(i.id())).toList();
        yield open.isEmpty() ? null : TaskResult.Waiting.asking(open);
      }
      case TaskRecord.End.Failed _ -> null;
    };
  }

  /// The id that the next checkpoint must have, if that is settled.
  public @Nullable String reserved() {
    var kept = steps.isEmpty() ? null : steps.get(NEXT);
    var id = kept == null ? null : kept.get(CHECKPOINT);
    return id == null ? null : reserved(id);
  }

  /// The generation of the tasks that run from a checkpoint that was reserved. In format 1, what
  /// was begun ahead of it was named by it.
  public String generation(String checkpoint, String own) {
    var begin = checkpoint + "/";
    for (var task : tasks.keySet()) if (task.startsWith(begin)) return checkpoint;
    for (var task : steps.keySet()) if (task.startsWith(begin)) return checkpoint;
    return own;
  }

  public static String reserved(Json kept) {
    try {
      var id = kept.as(String.class);
      if (!id.isBlank() && id.length() <= ID_MAX) return id;
    } catch (MalformedJson e) {
      throw new CorruptThread("the id of the next checkpoint is " + kept.text());
    }
    throw new CorruptThread("the id of the next checkpoint is " + kept.text());
  }

  public static boolean isReservation(StepRecord step) {
    return step.task().equals(NEXT) && step.key().equals(CHECKPOINT);
  }

  public static StepRecord reservation(String id) {
    return new StepRecord(NEXT, CHECKPOINT, Json.string(id));
  }
}
