package dev.superstep.checkpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Saves the state of threads, so that a run can be resumed after a crash, a pause or a question,
/// in this process or another. Every method is one transaction. Safe for many threads.
///
/// Every write to a thread shows its newest [Lease]; so two processes never run one thread, and one
/// that was thought dead and wakes up late changes nothing.
///
/// These are the methods that a run needs to begin, end, pause, ask and be resumed. Everything else
/// that a store can do is a [capability][CheckpointerCapability], an interface that it implements
/// as well.
///
/// Implementations must pass `CheckpointerSuite` of the test kit, and the suite of each capability
/// that they have. Where nothing else is said, a method throws [StoreFailed] if the storage fails,
/// and one that is shown a lease throws [LeaseLost] and changes nothing if it is not the newest of
/// its thread.
public interface Checkpointer extends AutoCloseable {
  /// So many are read at once where few of many are wanted.
  int FILTERED_PAGE = 100;

  // --- Who may write ---

  /// Acquires the lease of a thread for some time.
  ///
  /// @param owner the owner, as a person would name the process
  /// @throws ThreadBusy if another lease of it is neither released nor over
  Lease acquire(String thread, String owner, Duration time);

  /// Extends a lease to this time from now, even if it had expired but nobody else acquired the
  /// thread.
  ///
  /// @return whether somebody has asked the owner to stop, by [CheckpointerCapability.LeaseControl]
  boolean renew(Lease lease, Duration time);

  /// Releases a thread. Nothing happens if the lease is lost.
  void release(Lease lease);

  // --- Reading checkpoints ---

  /// Returns the newest checkpoint, or empty if there is none. Costs O(size of its state), whatever
  /// the length of the history.
  Optional<Saved> latest(Lineage lineage);

  /// Returns a checkpoint, or empty if it is not stored. Costs O(size of its state), whatever the
  /// length of the history.
  Optional<Saved> byId(Lineage lineage, String id);

  /// Checkpoints without values, newest first, at most `limit`. Costs O(limit).
  ///
  /// @param before the id of the last one seen, or empty to start with the newest
  List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit);

  /// Checkpoints that have all these entries of metadata, otherwise as [#page(Lineage, Optional,
  /// int)] returns them. Costs O(what is passed over).
  default List<Checkpoint> page(
      Lineage lineage, Map<String, String> metadata, Optional<String> before, int limit) {
    if (metadata.isEmpty()) return page(lineage, before, limit);
    var found = new ArrayList<Checkpoint>();
    var seen = before;
    int most = Math.max(limit, FILTERED_PAGE);
    while (true) {
      var some = page(lineage, seen, most);
      for (var one : some) {
        if (one.hasMetadata(metadata)) found.add(one);
        if (found.size() == limit) return List.copyOf(found);
      }
      if (some.size() < most) return List.copyOf(found);
      seen = Optional.of(some.getLast().id());
    }
  }

  /// The records of the tasks of a checkpoint that have ended so far.
  List<TaskRecord> tasks(Lineage lineage, String checkpoint);

  /// The steps of the tasks of a checkpoint, in the order in which they were saved.
  List<StepRecord> steps(Lineage lineage, String checkpoint);

  /// The answers given to the tasks of a checkpoint.
  List<Answer> answers(Lineage lineage, String checkpoint);

  // --- Writing ---

  /// Adds a checkpoint on top of its parent, with all that is saved with it. Costs O(channels +
  /// changes), not O(state).
  ///
  /// @return false, and nothing is changed, if the parent is not the newest checkpoint any more
  boolean commit(Lease lease, Commit commit);

  /// Saves the end of a task. A finished task is final; one that waits or failed is replaced.
  ///
  /// @param checkpoint the checkpoint from which the task runs; it may be one that is still to come
  /// @param journal the entries to save with it; empty for a store without
  ///   [CheckpointerCapability.EventJournal]
  /// @return the record that stands: the given one, or the one that finished first
  TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal);

  /// Saves the result of a step inside a task. The first one stands.
  ///
  /// @param checkpoint the checkpoint from which the task runs; it may be one that is still to come
  /// @return the record that stands: the given one, or the one that was saved before
  StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step);

  /// Saves answers, all or none. The first one to a question stands.
  ///
  /// @param journal the entries to save with them; empty for a store without
  ///   [CheckpointerCapability.EventJournal]
  /// @return false, and nothing is changed, if one of the questions was answered before
  boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal);

  /// Returns this checkpointer as one that has a capability, if it does. A checkpointer has those
  /// whose interfaces it implements, unless it forwards to another one.
  ///
  /// @param type the interface of the capability
  default <C extends CheckpointerCapability> Optional<C> capability(Class<C> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
  }

  /// Ends the use of the storage; what was saved stays.
  @Override
  void close();
}
