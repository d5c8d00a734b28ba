package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.publish.EventBatch;
import java.util.List;
import java.util.Optional;

/// Saves the progress of a graph's run, and publishes its events once it is safe. Safe for many
/// threads.
public sealed interface RunWriter extends ResumeRecords.Decoder
    permits CheckpointWriter, TransientWriter {
  /// Returns whether the run can be resumed from what is saved.
  boolean isPersistent();

  /// The thread as it was saved.
  ///
  /// @throws dev.superstep.error.ThreadError if another graph wrote the thread
  Optional<CheckpointWriter.LoadedCheckpoint> load();

  /// Lets the tasks of a superstep keep steps and logs, but those that began early.
  void open(Superstep step);

  /// Lets a task that begins early do so.
  ///
  /// @param state from which it runs
  /// @param known of the superstep that is to come
  void openEarly(Task task, Snapshot state, ResumeRecords known);

  /// Saves the end of a task and publishes the batch.
  ///
  /// @param isLast whether nothing comes after it in this run if it waits for an answer
  void task(Snapshot at, Task task, TaskResult end, EventBatch batch, boolean isLast);

  /// Saves that a graph ended with a hand-off, so with no checkpoint of its own, and publishes the
  /// batch.
  void left(Snapshot at, EventBatch batch);

  /// Saves a checkpoint and publishes the batch.
  ///
  /// @param isLast whether nothing comes after it in this run, which keeps no journal; others may
  ///   take the thread from then on
  /// @throws dev.superstep.error.ThreadError if another run has advanced the thread
  void checkpoint(RunIdentity scope, NewCheckpoint made, EventBatch batch, boolean isLast);

  /// Saves a fact about a snapshot, once.
  void mark(Snapshot at, String what, String key);

  /// The place of the checkpoint that follows a superstep, whose tasks have the same generation.
  ///
  /// @param before from which the superstep ran
  Snapshot.Begin next(Snapshot.Begin before, ResumeRecords known);

  /// The records of the superstep that follows one.
  ResumeRecords following(ResumeRecords known);

  /// Settles the place of the checkpoint that follows another, so that tasks can begin that will
  /// run from it.
  ReservedCheckpoint reserve(Snapshot.Begin before, ResumeRecords known);

  /// The place of a checkpoint that is to come, and the records of its tasks.
  record ReservedCheckpoint(Snapshot.Begin place, ResumeRecords known) {}

  /// A snapshot that is to be a checkpoint.
  ///
  /// @param carried records of its tasks that exist already
  /// @param steps the results of steps of the tasks before it that are saved with it
  record NewCheckpoint(
      Snapshot before,
      Kernel.Applied applied,
      Checkpoint.Source source,
      CarriedRecords carried,
      List<StepRecord> steps) {
    public NewCheckpoint(
        Snapshot before, Kernel.Applied applied, Checkpoint.Source source, CarriedRecords carried) {
      this(before, applied, source, carried, List.of());
    }

    public NewCheckpoint(
        Snapshot before, Kernel.Applied applied, Checkpoint.Source source, List<StepRecord> steps) {
      this(before, applied, source, CarriedRecords.NOTHING, steps);
    }
  }
}
