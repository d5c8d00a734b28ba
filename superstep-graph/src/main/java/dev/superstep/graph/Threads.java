package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.CheckpointerCapability.LeaseControl;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadListing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.error.ThreadError;
import dev.superstep.node.Ids;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Operations on saved threads that do not need their graphs. An operation that changes a thread
/// acquires it for that time, and throws [dev.superstep.checkpoint.ThreadBusy] while a run is at
/// work on it. Safe for many threads.
///
/// Most of it needs a [CheckpointerCapability] of the store: a call ends with
/// [dev.superstep.checkpoint.MissingCapability], and has changed nothing, where that is missing.
public final class Threads {
  private final Checkpointer store;
  private final ThreadStores stores;
  private final InstantSource clock;
  private final Ids ids;
  private final boolean isRepeating;

  private Threads(ThreadStores stores, InstantSource clock, Ids ids, boolean isRepeating) {
    this.store = stores.own();
    this.stores = stores;
    this.clock = clock;
    this.ids = ids;
    this.isRepeating = isRepeating;
  }

  /// The threads of a store.
  public static Threads in(Checkpointer store) {
    return in(store, InstantSource.system(), Ids.timeOrdered());
  }

  /// Returns the operations with a clock and ids of their own, as for tests.
  public static Threads in(Checkpointer store, InstantSource clock, Ids ids) {
    return new Threads(new ThreadStores(store, List.of()), clock, ids, false);
  }

  /// Returns a copy for threads of these graphs, some of whose subgraphs are saved in stores of
  /// their own: an operation on a thread reaches those stores, too. Without this, operations on
  /// such threads are refused, except for those that need no other store: [#rewind], [#cancel] and
  /// reads.
  ///
  /// The stores are written one after the other, that of the thread last. If that is interrupted,
  /// the thread is unchanged, and the call can be repeated.
  public Threads reaching(Graph... inner) {
    return new Threads(new ThreadStores(store, List.of(inner)), clock, ids, isRepeating);
  }

  /// Returns a copy whose forks and rewinds let everything happen again: effects that were recorded
  /// after the checkpoint neither answer a call nor raise a question.
  ///
  /// @see dev.superstep.node.Effect
  public Threads repeatingEffects() {
    return new Threads(stores, clock, ids, true);
  }

  /// Returns threads, the most recently written first.
  public List<ThreadSummary> list(ThreadQuery query) {
    return listing("Listing threads").threads(query);
  }

  /// Returns the summary of a thread, or empty if nothing of it is stored.
  public Optional<ThreadSummary> find(String thread) {
    return listing("Looking up a thread").find(thread);
  }

  /// The checkpoints of a thread, newest first.
  ///
  /// @param before the id of the last one seen, or empty to begin with the newest
  public List<Checkpoint> history(String thread, Optional<String> before, int limit) {
    return store.page(Lineage.of(thread), before, limit);
  }

  /// The checkpoints of a thread that have all these entries of metadata, newest first.
  ///
  /// @param before the id of the last one seen, or empty to begin with the newest
  public List<Checkpoint> history(
      String thread, Map<String, String> metadata, Optional<String> before, int limit) {
    return store.page(Lineage.of(thread), metadata, before, limit);
  }

  /// Begins a new thread from a checkpoint of another one, which is not changed. The tasks that
  /// were due there are due again, as new tasks: those that had finished run again, and those that
  /// had asked ask again. Copies no values.
  ///
  /// @return the first checkpoint of the new thread
  /// @throws ThreadError if the checkpoint is unknown, or the new thread exists already, or if
  ///   subgraphs are saved in stores that are not [reached][#reaching]
  public Checkpoint fork(String thread, String checkpoint, String as) {
    if (thread.equals(as)) return rewind(thread, checkpoint);
    return new ThreadForking(stores, clock, ids).fork(thread, checkpoint, as, isRepeating);
  }

  /// Takes a thread back to one of its older checkpoints, in the way of a [#fork]. Its history
  /// stays, and subgraphs have the memories that they had then. So another rewind can undo it. What
  /// nodes and tools did outside after that checkpoint stays done, and is not done again in
  /// silence: [dev.superstep.node.Effect].
  ///
  /// @return the new newest checkpoint
  /// @throws ThreadError if the checkpoint is unknown
  public Checkpoint rewind(String thread, String checkpoint) {
    return new ThreadForking(stores, clock, ids).fork(thread, checkpoint, thread, isRepeating);
  }

  /// Takes a thread back to before its first input: its state is empty then. Its history stays, as
  /// with a [#rewind], and what was done outside is not done again in silence.
  ///
  /// @return the new newest checkpoint
  /// @throws ThreadError if nothing is stored of the thread
  public Checkpoint restart(String thread) {
    return holding(
        thread, lease -> new ThreadRestart(store, clock, ids).restart(lease, isRepeating));
  }

  /// Copies everything of a thread to a new one, with the same ids: finished tasks stay finished,
  /// and open questions can be answered in both. The new thread has an empty journal. Until either
  /// gets new input, the further tasks of both have the same ids and so the same idempotency keys;
  /// to let them work independently, [#fork] the thread.
  ///
  /// @throws ThreadError if the thread is unknown, or the new one exists already, or if subgraphs
  ///   of the thread are saved in stores that are not [reached][#reaching]
  public void copy(String thread, String as) {
    var head =
        stores
            .newest(thread)
            .orElseThrow(() ->
                ThreadStores.unknown(thread, "is unknown here. Check its name and the store."));
    var elsewhere = stores.elsewhere(thread, head);
    var forks = ThreadStores.forks(store);
    for (var other : elsewhere) {
      ThreadStores.forks(other);
      ThreadStores.removal(other);
    }
    holding(
        as,
        lease -> {
          if (stores.newest(as).isPresent()) throw ThreadStores.taken(as);
          // Before the thread is there, so that it never is without them.
          for (var other : elsewhere) {
            // Content there is from a deleted thread, or from an unfinished copy.
            ThreadStores.delete(other, as);
            ThreadStores.in(other, as, held -> ThreadStores.forks(other).copy(held, thread));
          }
          if (forks.copy(lease, thread)) return as;
          throw ThreadStores.unknown(thread, "is unknown here. Check its name and the store.");
        });
  }

  /// Deletes everything of a thread, its journal too.
  ///
  /// @return false if nothing of it was stored
  /// @throws ThreadError if subgraphs of the thread are saved in stores that are not
  ///   [reached][#reaching]; nothing is deleted then
  public boolean delete(String thread) {
    var head = stores.newest(thread);
    head.ifPresent(known -> stores.reached(thread, known));
    var removal = ThreadStores.removal(store);
    for (var other : stores.others()) ThreadStores.removal(other);
    boolean isKnown = head.isPresent() || lastOffset(thread) > 0;
    var lease = ThreadStores.acquire(store, thread);
    try {
      // The thread itself comes last: as long as it exists, it names the other stores.
      for (var other : stores.others()) ThreadStores.delete(other, thread);
      // Also what a run left that died before it had made the thread.
      removal.delete(lease);
      return isKnown;
    } catch (RuntimeException | Error e) {
      // The thread is still there, and is not to stay busy.
      store.release(lease);
      throw e;
    }
  }

  /// Deletes what one run wrote, whatever the thread: its checkpoints and its journal entries.
  ///
  /// @return how many checkpoints are gone
  /// @throws ThreadError if subgraphs of one of the threads are saved in stores that are not
  ///   [reached][#reaching]; nothing of that thread is deleted then
  public int deleteRun(String run) {
    // Collects all of them first: a memory from which another run continues stays, and is still of
    // this run.
    var written = new ArrayList<ThreadSummary>();
    var query = ThreadQuery.newest(ThreadStores.PAGE).writtenBy(run);
    var listing = listing("Deleting a run");
    var page = listing.threads(query);
    while (!page.isEmpty()) {
      written.addAll(page);
      page = listing.threads(query.after(page.getLast().thread()));
    }
    int gone = 0;
    for (var head : written) gone += deleteRun(head, run);
    return gone;
  }

  private int deleteRun(ThreadSummary head, String run) {
    var thread = head.thread();
    var elsewhere = stores.elsewhere(thread, head.checkpoint());
    var removal = ThreadStores.removal(store);
    for (var other : elsewhere) ThreadStores.removal(other);
    return holding(
        thread,
        lease -> {
          int own = removal.deleteRun(lease, run, stores.needed(elsewhere, store, thread));
          for (var other : elsewhere) {
            var needed = stores.needed(elsewhere, other, thread);
            ThreadStores.in(
                other, thread, held -> ThreadStores.removal(other).deleteRun(held, run, needed));
          }
          return own;
        });
  }

  /// Deletes old checkpoints of a thread; the newest stays in any case.
  ///
  /// @return how many are gone
  /// @throws ThreadError if subgraphs of the thread are saved in stores that are not
  ///   [reached][#reaching]; nothing is deleted then
  public int prune(String thread, Prune prune) {
    var elsewhere = stores.newest(thread).map(at -> stores.elsewhere(thread, at)).orElse(List.of());
    var removal = ThreadStores.removal(store);
    for (var other : elsewhere) ThreadStores.removal(other);
    return holding(
        thread,
        lease -> {
          int gone = removal.prune(lease, prune.needing(stores.needed(elsewhere, store, thread)));
          for (var other : elsewhere) {
            var needed = stores.needed(elsewhere, other, thread);
            gone +=
                ThreadStores.in(
                    other,
                    thread,
                    held -> ThreadStores.removal(other).prune(held, prune.needing(needed)));
          }
          return gone;
        });
  }

  /// Deletes the journal of a thread up to and with an offset.
  ///
  /// @return how many entries are gone
  public int trimJournal(String thread, long through) {
    var journal = CheckpointerCapability.required(store, EventJournal.class, "Trimming a journal");
    return holding(thread, lease -> journal.trimJournal(lease, through));
  }

  /// Asks the run that is at work on a thread, wherever it is, to stop. It stops when it next
  /// renews its lease, within a fifth of the time of that, and can be resumed.
  ///
  /// @return false if none holds the thread; one that died holds it until another takes it
  public boolean cancel(String thread) {
    return CheckpointerCapability.required(
            store, LeaseControl.class, "Cancelling a run from outside")
        .requestCancel(thread);
  }

  /// Takes a thread from its owner, as from a process on another machine that is known to be dead:
  /// the lease of a process killed on this machine ends by itself. Later writes of the owner are
  /// refused. If it lives, its nodes run on until it notices, and their outside effects may happen
  /// a second time when the thread is resumed.
  ///
  /// @return false if nobody holds it
  public boolean breakLease(String thread) {
    return CheckpointerCapability.required(store, LeaseControl.class, "Breaking a lease")
        .breakLease(thread);
  }

  /// Gives space that is not used any more back to the system, if the storage can do that.
  public void compact() {
    ThreadStores.removal(store).compact();
  }

  private ThreadListing listing(String feature) {
    return CheckpointerCapability.required(store, ThreadListing.class, feature);
  }

  /// 0 as well where the store keeps no journals.
  private long lastOffset(String thread) {
    return store.capability(EventJournal.class).map(j -> j.lastOffset(thread)).orElse(0L);
  }

  private <T> T holding(String thread, Function<Lease, T> work) {
    return ThreadStores.in(store, thread, work);
  }

  @Override
  public String toString() {
    return "Threads[" + store + "]";
  }
}
