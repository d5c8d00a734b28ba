package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.StepRecord;
import dev.superstep.graph.internal.kernel.StepResults;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.json.Json;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Saves the results of a task's steps.
///
/// @param save saves a record, and returns the one that stands
/// @param isJoining whether the task's checkpoint is the next write
record StepWriter(Task task, ValueForm form, UnaryOperator<StepRecord> save, boolean isJoining)
    implements StepResults.Writer {
  @Override
  public Json putIfAbsent(String key, Json result) {
    return save.apply(record(key, result)).result();
  }

  @Override
  public @Nullable StepRecord joining(String key, Json result) {
    return isJoining ? record(key, result) : null;
  }

  private StepRecord record(String key, Json result) {
    var json = form.of(result, "step of node", task.node() + " / " + key);
    return new StepRecord(task.id(), key, json);
  }
}
