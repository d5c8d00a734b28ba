package dev.superstep.checkpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Keeps the state of threads, so that a run can go on after a crash, a pause or a question, in
/// this process or another. Every method is one transaction. Safe for many threads.
///
/// Whoever writes to a thread shows its newest [Lease]; so two processes never run one thread, and
/// one that was thought dead and wakes up late changes nothing.
///
/// Implementations must pass `CheckpointerSuite` of the test kit. Where nothing else is said, a
/// method throws [StoreFailed] if the storage fails, and one that is shown a lease throws
/// [LeaseLost] and changes nothing if it is not the newest of its thread.
public interface Checkpointer extends AutoCloseable {
  // --- Who may write ---

  /// Takes a thread for some time. A request to cancel it from before is forgotten.
  ///
  /// @param owner who takes it, as a person would name the process
  /// @throws ThreadBusy if another lease of it is neither released nor over
  Lease acquire(String thread, String owner, Duration time);

  /// Takes a thread as [#acquire] does, and says how it stands then: all that a run needs to begin.
  ///
  /// Made of those two calls where a store does not make one transaction of it.
  default AcquiredThread take(String thread, String owner, Duration time) {
    var lease = acquire(thread, owner, time);
    try {
      return new AcquiredThread(lease, standing(Lineage.of(thread)));
    } catch (RuntimeException e) {
      // Nobody else would have to wait for somebody who cannot begin.
      giveBack(lease);
      throw e;
    }
  }

  /// Holds a thread for so long from now on, even if its time was over but nobody took it.
  ///
  /// @return whether somebody has asked the holder to stop
  boolean renew(Lease lease, Duration time);

  /// Gives a thread back. Nothing happens if the lease is lost.
  void release(Lease lease);

  /// Asks whoever holds a thread to stop; it sees that when it renews its lease. A holder whose
  /// time is over, but that nobody took the thread from, is asked as well: it may have been slow.
  ///
  /// @return whether there is one that has not given the thread back
  boolean requestCancel(String thread);

  /// Takes a thread from whoever holds it, dead or not: its lease is not the newest any more, so
  /// that what it writes from now on is refused, and the thread can be taken at once. What a holder
  /// that lives has begun outside goes on until it notices, and may then be done twice.
  ///
  /// @return false if nobody holds it
  boolean breakLease(String thread);

  // --- For a checkpointer around this one ---

  /// What a checkpointer around this one keeps of a thread. Costs O(1).
  ThreadBinding binding(String thread);

  /// Keeps something of a thread for a checkpointer around this one, in place of what it kept
  /// before. No fork and no copy has it. It goes with the thread, or with the lease if nothing else
  /// is kept of the thread then.
  void bind(Lease lease, String binding);

  // --- Reading checkpoints ---

  /// The newest checkpoint. Costs O(what the state holds), whatever the length of the history.
  Optional<Saved> latest(Lineage lineage);

  /// The newest checkpoint with what was saved of its tasks: all that a run needs to go on, in one
  /// call. Costs O(what the state holds), whatever the length of the history.
  default Optional<ThreadRecord> standing(Lineage lineage) {
    return latest(lineage)
        .map(saved -> {
          var id = saved.checkpoint().id();
          return new ThreadRecord(
              saved, tasks(lineage, id), steps(lineage, id), answers(lineage, id));
        });
  }

  /// One checkpoint. Costs O(what the state held), whatever the length of the history.
  Optional<Saved> byId(Lineage lineage, String id);

  /// What a checkpoint changed against its parent: applied to what that holds, it gives what the
  /// checkpoint holds. Empty if one of both is not kept. Costs O(changes), whatever the state
  /// holds; a list of which not only the end changed may be told as a new one.
  ///
  /// Made of what both hold where a store does not know better.
  default Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
    return byId(lineage, id)
        .flatMap(after ->
            after
                .checkpoint()
                .parent()
                .flatMap(parent -> byId(lineage, parent))
                .map(before -> SavedChannel.changes(before.channels(), after.channels())));
  }

  /// Checkpoints without values, newest first, at most `limit`. Costs O(limit).
  ///
  /// @param before the id of the last one seen, or empty to start with the newest
  List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit);

  /// How the tasks of a checkpoint ended so far.
  List<TaskRecord> tasks(Lineage lineage, String checkpoint);

  /// The steps of the tasks of a checkpoint, in the order in which they were saved.
  List<StepRecord> steps(Lineage lineage, String checkpoint);

  /// The answers given to the tasks of a checkpoint.
  List<Answer> answers(Lineage lineage, String checkpoint);

  /// The shape of a graph that wrote here, as JSON.
  Optional<String> described(String graph, String hash);

  // --- Writing ---

  /// Adds a checkpoint on top of its parent, with all that is saved with it. Costs O(channels +
  /// changes), not O(state).
  ///
  /// @return false, and nothing is changed, if the parent is not the newest checkpoint any more
  boolean commit(Lease lease, Commit commit);

  /// Adds the last checkpoint that the holder of a thread makes: with it, the thread is given back
  /// as by [#release]. If it is refused, the lease stays what it is.
  ///
  /// Made of those two calls where a store does not make one transaction of it.
  default boolean commitLast(Lease lease, Commit commit) {
    if (!commit(lease, commit)) return false;
    giveBack(lease);
    return true;
  }

  /// Keeps how a task ended. A finished task stands for ever; one that waits or failed is replaced.
  ///
  /// @param checkpoint the checkpoint from which the task runs; it may be one that is still to come
  /// @param journal what is told with it
  /// @return the record that stands: the given one, or the one that finished first
  TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal);

  /// Keeps how a task ended as the last that the holder of a thread writes: with it, the thread is
  /// given back as by [#release], whichever record stands.
  ///
  /// Made of those two calls where a store does not make one transaction of it.
  default TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    var stands = saveTask(lease, lineage, checkpoint, task, journal);
    giveBack(lease);
    return stands;
  }

  private void giveBack(Lease lease) {
    try {
      release(lease);
    } catch (StoreFailed _) {
      // What was saved is safe; the lease ends by itself.
    }
  }

  /// Keeps the result of a step inside a task. The first one stands.
  ///
  /// @param checkpoint the checkpoint from which the task runs; it may be one that is still to come
  /// @return the record that stands: the given one, or the one that was saved before
  StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step);

  /// Keeps answers, all or none. The first one to a question stands.
  ///
  /// @param journal what is told with them
  /// @return false, and nothing is changed, if one of the questions was answered before
  boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal);

  // --- The journal ---

  /// Adds entries to the journal of the thread. Whoever reads an offset has read, or can read, all
  /// offsets before it.
  void append(Lease lease, List<Entry> entries);

  /// Entries in order, at most `limit`. Costs O(what is read), and for a filter that wants few of
  /// many O(what is passed over).
  ///
  /// @param after the offset that was read last, or 0
  List<Entry> entries(String thread, long after, int limit, EntryFilter filter);

  /// The offset of the last entry, or 0.
  long lastOffset(String thread);

  // --- Threads ---

  /// Threads that have a checkpoint, the one that was written last first. Costs O(limit), and for a
  /// filter that wants few of many O(what is passed over).
  List<ThreadSummary> threads(ThreadQuery query);

  /// One thread, if it has a checkpoint. Costs O(1).
  Optional<ThreadSummary> find(String thread);

  /// Makes a checkpoint that holds what an older one held. Copies no values. In the same lineage it
  /// becomes the newest; nothing else of the history is changed.
  ///
  /// Where the new checkpoint does not name all memories ([Memories#isWhole]), and is the thread's
  /// own: memories that are named by their path ([Lineage#remembered]) are again what they were
  /// when the older one was saved, and those that were begun later begin anew, as long as it is so;
  /// or, in another thread, that has them as they were.
  ///
  /// @param lease of the target's thread
  /// @return false, and nothing is changed, if the older one is unknown, or if the target is
  ///   another lineage and not empty
  boolean fork(Lease lease, Fork fork);

  /// Gives a thread that has nothing yet all that another one has here, with the same ids; but for
  /// the journal, which begins anew. Copies no values. Costs O(checkpoints).
  ///
  /// @param lease of the thread that has nothing
  /// @return false, and nothing is changed, if the source is unknown or the target is not empty
  boolean copy(Lease lease, String source);

  /// Deletes all that is kept of a thread, the lease with it. What other threads share with it
  /// stays theirs. Costs O(what the thread and those that share with it hold).
  void delete(Lease lease);

  /// Deletes what one run wrote to a thread: its checkpoints and its journal entries. The newest
  /// checkpoint is then the newest that is left. Memories stay that a checkpoint names which is
  /// left.
  ///
  /// @param needed stays, because checkpoints name it that are kept in another store
  /// @return how many checkpoints of the thread's own graph are gone
  int deleteRun(Lease lease, String run, Set<Memory> needed);

  /// Deletes old checkpoints, with what is kept of their tasks. The newest stays in any case, and
  /// so do memories that a checkpoint names which is left.
  ///
  /// @return how many are gone, those of graphs inside included
  int prune(Lease lease, Prune prune);

  /// Deletes the journal of a thread up to and with an offset. Later offsets stay what they are.
  ///
  /// @return how many entries are gone
  int trimJournal(Lease lease, long through);

  /// Gives space that is not used any more back to the system, if the storage can do that.
  void compact();

  /// Ends the use of the storage; what was saved stays.
  @Override
  void close();
}
