package dev.superstep.checkpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Something that a [Checkpointer] can do beyond what a run needs. A checkpointer offers a
/// capability by implementing its interface; callers ask [Checkpointer#capability] for it, since a
/// checkpointer around another one ([ForwardingCheckpointer]) can do only what that one can.
///
/// A feature that needs a missing capability ends with [MissingCapability] before it has changed
/// anything. The test kit has a conformance suite for each capability, named like it. Lists, page
/// sizes and failures are as in [Checkpointer].
public sealed interface CheckpointerCapability {
  /// Returns a capability of a checkpointer.
  ///
  /// @param feature what needs it, as the beginning of a sentence
  /// @throws MissingCapability if the checkpointer does not have it
  static <C extends CheckpointerCapability> C required(
      Checkpointer store, Class<C> type, String feature) {
    return store
        .capability(type)
        .orElseThrow(() -> new MissingCapability(feature, type.getSimpleName(), store));
  }

  /// Lists threads: [dev.superstep.graph.Threads] and the command line show them by this.
  non-sealed interface ThreadListing extends CheckpointerCapability {
    /// Threads that have a checkpoint, the one that was written last first. Costs O(limit), and for
    /// a filter that wants few of many O(what is passed over).
    List<ThreadSummary> threads(ThreadQuery query);

    /// Returns the summary of a thread, or empty if it has no checkpoint. Costs O(1).
    Optional<ThreadSummary> find(String thread);
  }

  /// Starts threads from what others hold: forks, rewinds and copies of threads, and subgraphs that
  /// remember.
  non-sealed interface ThreadForks extends CheckpointerCapability {
    /// Makes a checkpoint with the content of an older one. Copies no values. In the same lineage
    /// it becomes the newest; nothing else of the history is changed.
    ///
    /// Checkpoints after one of format 1 may not name all memories ([Memories#isWhole]). A fork of
    /// such a checkpoint of the thread's own graph resets the memories that are named by their path
    /// ([Lineage#remembered]) to what they were when the older one was saved; those that began
    /// later start empty, as long as they are not named. In another thread it copies them as they
    /// were.
    ///
    /// @param lease of the target's thread
    /// @return false, and nothing is changed, if the older one is unknown, or if the target is
    ///   another lineage and not empty
    boolean fork(Lease lease, Fork fork);

    /// Copies everything that another thread has here to a thread that has nothing yet, with the
    /// same ids; except for the journal, which is empty. Copies no values. Costs O(checkpoints).
    ///
    /// @param lease of the thread that has nothing
    /// @return false, and nothing is changed, if the source is unknown or the target is not empty
    boolean copy(Lease lease, String source);
  }

  /// Deletes threads, runs and old checkpoints.
  non-sealed interface ThreadRemoval extends CheckpointerCapability {
    /// Deletes everything of a thread, its lease too. Content shared with other threads stays
    /// theirs. Costs O(content of the thread and of those that share with it).
    void delete(Lease lease);

    /// Deletes what one run wrote to a thread: its checkpoints and its journal entries. The newest
    /// checkpoint is then the newest that is left. Memories stay that a checkpoint names which is
    /// left.
    ///
    /// @param needed memories that stay, because checkpoints in another store name them
    /// @return how many checkpoints of the thread's own graph are gone
    int deleteRun(Lease lease, String run, Set<Memory> needed);

    /// Deletes old checkpoints, with the records of their tasks. The newest stays in any case, and
    /// so do memories that a remaining checkpoint names.
    ///
    /// @return the number of deleted checkpoints, those of subgraphs included
    int prune(Lease lease, Prune prune);

    /// Gives space that is not used any more back to the system, if the storage can do that.
    void compact();
  }

  /// Keeps the events of a thread ([dev.superstep.graph.RunOptions#journal()]). A checkpointer that
  /// has it also keeps the entries that come with a commit, a task record or answers, in the
  /// transaction that saves those.
  non-sealed interface EventJournal extends CheckpointerCapability {
    /// Adds entries to the journal of the thread. A reader of an offset has read, or can read, all
    /// offsets before it.
    void append(Lease lease, List<Entry> entries);

    /// Entries in order, at most `limit`. Costs O(what is read), and for a filter that wants few of
    /// many O(what is passed over).
    ///
    /// @param after the offset that was read last, or 0
    List<Entry> entries(String thread, long after, int limit, EntryFilter filter);

    /// The offset of the last entry, or 0.
    long lastOffset(String thread);

    /// Deletes the journal of a thread up to and with an offset. Later offsets stay what they are.
    ///
    /// @return how many entries are gone
    int trimJournal(Lease lease, long through);
  }

  /// Reaches a run through its lease, from any process: to cancel it, or to break the lease of a
  /// dead one. A checkpointer without this capability never asks an owner to stop.
  non-sealed interface LeaseControl extends CheckpointerCapability {
    /// Asks the owner of a thread to stop; [Checkpointer#renew] passes the request on. An owner
    /// whose lease has expired, but that no other has replaced, is asked as well: it may have been
    /// slow. The request is forgotten when another run acquires the thread.
    ///
    /// @return whether there is one that has not given the thread back
    boolean requestCancel(String thread);

    /// Takes a thread from its owner, dead or not: its lease is no longer the newest, so that its
    /// later writes are refused, and the thread can be acquired at once. Outside effects that a
    /// living owner has begun go on until it notices, and may then happen twice.
    ///
    /// @return false if nobody holds it
    boolean breakLease(String thread);
  }

  /// Keeps a text of each thread for a checkpointer around this one, as [EncryptedCheckpointer]
  /// needs it.
  non-sealed interface BindingStorage extends CheckpointerCapability {
    /// Returns the text that a checkpointer around this one stores with a thread. Costs O(1).
    ThreadBinding binding(String thread);

    /// Stores a text with a thread for a checkpointer around this one, in place of the one before.
    /// Forks and copies do not get it. It is deleted with the thread, or with the lease if nothing
    /// else of the thread is stored then.
    void bind(Lease lease, String binding);
  }

  /// Keeps the shapes of graphs that come with commits ([Commit#topology]). Without it a thread of
  /// another shape of its graph needs a migration even where the graph has only more channels, and
  /// the refusal does not say what has changed.
  non-sealed interface GraphShapes extends CheckpointerCapability {
    /// The shape of a graph that wrote here, as JSON.
    Optional<String> described(String graph, String hash);
  }

  /// Does in one transaction what otherwise takes several calls, so that a run asks its store less
  /// often. A store overrides those that it has; the others are made of separate calls.
  non-sealed interface CombinedCalls extends CheckpointerCapability, Checkpointer {
    /// Returns the combined calls of a store, or the same made of separate ones.
    static CombinedCalls of(Checkpointer store) {
      var own = store.capability(CombinedCalls.class);
      return own.isPresent() ? own.get() : new SeparateCalls(store);
    }

    /// Acquires a thread as [#acquire] does, and returns its state: all that a run needs to begin.
    default AcquiredThread acquireThread(String thread, String owner, Duration time) {
      var lease = acquire(thread, owner, time);
      try {
        return new AcquiredThread(lease, threadRecord(Lineage.of(thread)));
      } catch (RuntimeException e) {
        // A run that cannot begin must not make others wait.
        releaseLease(lease);
        throw e;
      }
    }

    /// Reads a thread that nobody holds, so that [#acquireWith] can acquire it later if it is still
    /// as it was read. A store that does this refuses every write with a lease that was released.
    ///
    /// @return empty if somebody holds the thread, or held it until the lease expired, and always
    ///   if the store cannot do this; the thread is then acquired before it is read
    default Optional<IdleThread> idleThread(String thread) {
      return Optional.empty();
    }

    /// Acquires a thread as it was read, and makes the first write of its owner, in one
    /// transaction. If this fails, the thread is not acquired.
    ///
    /// @return empty, and nothing is written, if anybody has acquired the thread since it was read,
    ///   or the write is refused
    default Optional<Lease> acquireWith(
        IdleThread idle, String owner, Duration time, FirstWrite write) {
      return Optional.empty();
    }

    /// Returns the newest checkpoint with the saved records of its tasks: all that a run needs to
    /// continue. Costs O(size of the state), whatever the length of the history.
    default Optional<ThreadRecord> threadRecord(Lineage lineage) {
      return latest(lineage)
          .map(saved -> {
            var id = saved.checkpoint().id();
            return new ThreadRecord(
                saved, tasks(lineage, id), steps(lineage, id), answers(lineage, id));
          });
    }

    /// Returns the changes of a checkpoint against its parent: applied to the parent's content,
    /// they give that of the checkpoint. Empty if one of the two is not stored. Costs O(changes),
    /// whatever the size of the state; a list that changed elsewhere than at its end may be
    /// returned as a new one.
    default Optional<List<ChannelChange>> changes(Lineage lineage, String id) {
      return byId(lineage, id)
          .flatMap(after ->
              after
                  .checkpoint()
                  .parent()
                  .flatMap(parent -> byId(lineage, parent))
                  .map(before -> SavedChannel.changes(before.channels(), after.channels())));
    }

    /// Saves the last checkpoint of a thread's owner: with it, the thread is released as by
    /// [#release]. If it is refused, the lease does not change.
    default boolean commitLast(Lease lease, Commit commit) {
      if (!commit(lease, commit)) return false;
      releaseLease(lease);
      return true;
    }

    /// Saves the end of a task as the last write of a thread's owner: with it, the thread is
    /// released as by [#release], whichever record stands.
    default TaskRecord saveTaskLast(
        Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
      var existing = saveTask(lease, lineage, checkpoint, task, journal);
      releaseLease(lease);
      return existing;
    }

    private void releaseLease(Lease lease) {
      try {
        release(lease);
      } catch (StoreFailed _) {
        // The write is safe; the lease expires by itself.
      }
    }
  }
}
