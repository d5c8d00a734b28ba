package dev.superstep.checkpoint;

import java.util.List;
import java.util.Optional;

/// Keeps the state of threads, so that a run can go on after a crash, a pause or a question, in
/// this process or another. Every method is one transaction. Safe for many threads.
///
/// Implementations must pass `CheckpointerSuite` of the test kit.
public interface Checkpointer extends AutoCloseable {
  /// The newest checkpoint. Costs O(what the state holds), whatever the length of the history.
  ///
  /// @throws StoreFailed if the storage fails
  Optional<Saved> latest(Lineage lineage);

  /// One checkpoint. Costs O(what the state held), whatever the length of the history.
  ///
  /// @throws StoreFailed if the storage fails
  Optional<Saved> byId(Lineage lineage, String id);

  /// Checkpoints without values, newest first, at most `limit`. Costs O(limit).
  ///
  /// @param before the id of the last one seen, or empty to start with the newest
  /// @throws StoreFailed if the storage fails
  List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit);

  /// Adds a checkpoint on top of its parent. Costs O(channels + changes), not O(state).
  ///
  /// @return false, and nothing is changed, if the parent is not the newest checkpoint any more:
  ///   someone else has moved the thread on
  /// @throws StoreFailed if the storage fails
  boolean commit(Commit commit);

  /// Keeps how a task ended. A finished task stands for ever; one that waits or failed is replaced.
  ///
  /// @param checkpoint the checkpoint from which the task runs; it may be one that is still to come
  /// @return the record that stands: the given one, or the one that finished first
  /// @throws StoreFailed if the storage fails
  TaskRecord saveTask(Lineage lineage, String checkpoint, TaskRecord task);

  /// How the tasks of a checkpoint ended so far.
  ///
  /// @throws StoreFailed if the storage fails
  List<TaskRecord> tasks(Lineage lineage, String checkpoint);

  /// Keeps the result of a step inside a task. The first one stands.
  ///
  /// @param checkpoint the checkpoint from which the task runs; it may be one that is still to come
  /// @return the record that stands: the given one, or the one that was saved before
  /// @throws StoreFailed if the storage fails
  StepRecord saveStep(Lineage lineage, String checkpoint, StepRecord step);

  /// The steps of the tasks of a checkpoint, in the order in which they were saved.
  ///
  /// @throws StoreFailed if the storage fails
  List<StepRecord> steps(Lineage lineage, String checkpoint);

  /// Keeps an answer. The first one stands.
  ///
  /// @return false if the interrupt was answered before
  /// @throws StoreFailed if the storage fails
  boolean answer(Lineage lineage, String checkpoint, Answer answer);

  /// The answers given to the tasks of a checkpoint.
  ///
  /// @throws StoreFailed if the storage fails
  List<Answer> answers(Lineage lineage, String checkpoint);

  /// Ends the use of the storage; what was saved stays.
  @Override
  void close();
}
