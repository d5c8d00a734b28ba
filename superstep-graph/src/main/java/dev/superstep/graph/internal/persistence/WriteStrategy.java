package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadForks;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import java.util.List;
import java.util.Optional;

/// The time at which a run's writes reach their store; all reach it by [SyncWrites]. Safe for many
/// threads.
public sealed interface WriteStrategy permits SyncWrites, AsyncWrites, ExitWrites {
  /// The strategy that makes each write in the end.
  SyncWrites direct();

  /// Where what was written is or will be.
  default Checkpointer store() {
    return direct().store();
  }

  /// The newest checkpoint, written or waiting to be.
  default Optional<Saved> latest(Lineage lineage) {
    settle();
    return store().latest(lineage);
  }

  default List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    settle();
    return store().tasks(lineage, checkpoint);
  }

  default List<StepRecord> steps(Lineage lineage, String checkpoint) {
    settle();
    return store().steps(lineage, checkpoint);
  }

  /// Returns the newest checkpoint with all saved records of its tasks.
  default Optional<ThreadRecord> threadRecord(Lineage lineage) {
    settle();
    return direct().threadRecord(lineage);
  }

  /// Writes a checkpoint.
  ///
  /// @return false if somebody else moved the thread on
  boolean commit(Commit commit);

  /// Writes the checkpoint that begins a generation. Unless all waits for the end of the run, it is
  /// in the store when this returns: ids are made from its name, which must not be lost.
  ///
  /// @return false if somebody else moved the thread on
  default boolean commitFirst(Commit commit) {
    settle();
    return direct().commit(commit);
  }

  /// Writes the last checkpoint of a run that keeps no journal; the thread may be free afterwards.
  ///
  /// @return false if somebody else moved the thread on
  default boolean commitLast(Commit commit) {
    return commit(commit);
  }

  /// Writes how a task ended as the last of a run that keeps no journal; the thread may be free
  /// afterwards.
  default void taskLast(Lineage lineage, String checkpoint, TaskRecord task) {
    task(lineage, checkpoint, task, List.of());
  }

  /// Makes a checkpoint from an older one, at once.
  ///
  /// @return false if the older one is not there, or the target is not empty
  default boolean fork(Fork fork) {
    settle();
    var forks = CheckpointerCapability.required(store(), ThreadForks.class, "A fork");
    return forks.fork(direct().lease(), fork);
  }

  /// Writes how a task ended.
  void task(Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal);

  /// Writes the result of a step. Unless all waits for the end of the run, it is in the store when
  /// this returns, and so is all that was written before.
  ///
  /// @return the record that stands
  StepRecord step(Lineage lineage, String checkpoint, StepRecord step);

  /// Writes a mark among the results of steps, which no node waits for.
  ///
  /// @return the record that stands
  default StepRecord mark(Lineage lineage, String checkpoint, StepRecord mark) {
    return step(lineage, checkpoint, mark);
  }

  /// Writes answers, all or none, at once.
  ///
  /// @return false if one of the questions was answered before
  default boolean answer(
      Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    settle();
    return store().answer(direct().lease(), lineage, checkpoint, answers, journal);
  }

  /// Writes to the journal alone.
  void append(List<Entry> entries);

  /// Returns whether writes may still be on their way to the store.
  default boolean isLate() {
    return true;
  }

  /// Returns when all that was written is in the store.
  void settle();
}
