package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.SuperstepLogs;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.publish.EventBatch;
import java.util.Map;
import java.util.Optional;

/// Keeps nothing; publishes at once.
///
/// @param id replaces the ids of checkpoints: as unique as the run, and the task in which it runs
/// @param isInsidePersistent whether the graph is a part of something that is kept
public record TransientWriter(String id, boolean isInsidePersistent) implements RunWriter {
  @Override
  public boolean isPersistent() {
    return false;
  }

  @Override
  public Optional<CheckpointWriter.LoadedCheckpoint> load() {
    return Optional.empty();
  }

  @Override
  public void open(Superstep step) {
    // A task alone makes its own.
    if (step.tasks().size() == 1) return;
    var logs = SuperstepLogs.inMemory(Map.of());
    for (var task : step.tasks()) if (!task.isEarly()) task.records(logs);
  }

  @Override
  public void openEarly(Task task, Snapshot state, ResumeRecords known) {
    // It makes its own.
  }

  @Override
  public void task(Snapshot at, Task task, TaskResult end, EventBatch batch, boolean isLast) {
    batch.publishUnsaved(isInsidePersistent);
  }

  @Override
  public void left(Snapshot at, EventBatch batch) {
    batch.publishUnsaved(isInsidePersistent);
  }

  @Override
  public void checkpoint(RunIdentity scope, NewCheckpoint made, EventBatch batch, boolean isLast) {
    batch.publishUnsaved(isInsidePersistent);
  }

  @Override
  public void mark(Snapshot at, String what, String key) {
    // No run can be resumed from here.
  }

  @Override
  public Snapshot.Begin next(Snapshot.Begin before, ResumeRecords known) {
    return before.checkpoint().equals(id) ? before : new Snapshot.Begin(id, before.generation());
  }

  @Override
  public ResumeRecords following(ResumeRecords known) {
    return ResumeRecords.NONE;
  }

  @Override
  public ReservedCheckpoint reserve(Snapshot.Begin before, ResumeRecords known) {
    return new ReservedCheckpoint(next(before, known), ResumeRecords.NONE);
  }

  @Override
  public TaskResult.Finished restored(TaskRecord.End.Finished end) {
    throw new IllegalStateException("nothing is kept");
  }

  @Override
  public TaskResult.Finished restored(TaskRecord.End.HandedOff end) {
    throw new IllegalStateException("nothing is kept");
  }
}
