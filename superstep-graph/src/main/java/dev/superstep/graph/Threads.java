package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Head;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.Scheduled;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// What can be done with kept threads without their graphs. Whatever changes a thread takes it for
/// that time, and throws [dev.superstep.checkpoint.ThreadBusy] while a run is at work on it. Safe
/// for many threads.
public final class Threads {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int PAGE = 100;

  private final Checkpointer store;
  private final InstantSource clock;
  private final Ids ids;

  private Threads(Checkpointer store, InstantSource clock, Ids ids) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
  }

  /// The threads of a store.
  public static Threads in(Checkpointer store) {
    return new Threads(store, InstantSource.system(), Ids.timeOrdered());
  }

  /// The same with a clock and ids of its own, as for tests.
  public static Threads in(Checkpointer store, InstantSource clock, Ids ids) {
    return new Threads(store, clock, ids);
  }

  /// Threads, the one that was written last first.
  public List<Head> list(ThreadQuery query) {
    return store.threads(query);
  }

  /// One thread, if anything is kept of it.
  public Optional<Head> find(String thread) {
    return store.find(thread);
  }

  /// The checkpoints of a thread, newest first.
  ///
  /// @param before the id of the last one seen, or empty to begin with the newest
  public List<Checkpoint> history(String thread, Optional<String> before, int limit) {
    return store.page(Lineage.of(thread), before, limit);
  }

  /// Begins a new thread from a checkpoint of another one, which is not changed. What was due there
  /// is due again, as new tasks: what had finished of them runs again, and what was asked is asked
  /// again. Copies no values.
  ///
  /// @return the first checkpoint of the new thread
  /// @throws ThreadError if the checkpoint is unknown, or the new thread is there already
  public Checkpoint fork(String thread, String checkpoint, String as) {
    if (thread.equals(as)) return rewind(thread, checkpoint);
    return forked(thread, checkpoint, as);
  }

  /// Lets a thread go on from one of its older checkpoints, in the way of a [#fork]. Its history
  /// stays. What graphs inside began to remember later is dropped.
  ///
  /// @return the new newest checkpoint
  /// @throws ThreadError if the checkpoint is unknown
  public Checkpoint rewind(String thread, String checkpoint) {
    return forked(thread, checkpoint, thread);
  }

  private Checkpoint forked(String thread, String id, String as) {
    var source = Lineage.of(thread);
    var older =
        store
            .byId(source, id)
            .orElseThrow(
                () -> unknown(thread, "has no checkpoint `" + id + "`. Look at its history."))
            .checkpoint();
    return holding(
        as,
        lease -> {
          if (!thread.equals(as) && store.find(as).isPresent()) throw taken(as);
          var parent =
              thread.equals(as)
                  ? store.find(as).map(head -> head.checkpoint().id())
                  : Optional.<String>empty();
          var made = made(older, parent);
          var told =
              store.lastOffset(thread) == 0
                  ? List.<Entry>of()
                  : List.of(told(source, made, older, as));
          var fork = new Fork(source, id, Lineage.of(as), made, told);
          if (!store.fork(lease, fork)) {
            throw unknown(thread, "changed while it was forked. Try again.");
          }
          return made;
        });
  }

  private Checkpoint made(Checkpoint older, Optional<String> parent) {
    return new Checkpoint(
        Checkpoint.FORMAT,
        ids.next(),
        parent,
        older.step(),
        Checkpoint.Source.FORK,
        clock.instant(),
        older.run(),
        older.graph(),
        older.graphHash(),
        anew(older.progress()),
        older.metadata());
  }

  /// With tasks of its own.
  private static Progress anew(Progress at) {
    return new Progress(
        anew(at.next()), anew(at.held()), at.arrived(), at.seen(), at.ran(), at.chosen());
  }

  private static List<Scheduled> anew(List<Scheduled> due) {
    return due.stream().map(d -> new Scheduled(d.node(), d.activation(), d.argument())).toList();
  }

  private Entry told(Lineage source, Checkpoint made, Checkpoint older, String as) {
    var origin =
        new Origin(
            made.run(),
            Optional.of(as),
            made.graph(),
            List.of(),
            0,
            made.at(),
            made.step(),
            Map.of());
    var event = new Event.ThreadForked(origin, source.thread(), older.id(), made.id());
    return new Entry(
        0, made.at(), made.run(), made.graph(), List.of(), "", Chronicle.kind(event), event.json());
  }

  /// Gives a new thread all that another one has, with the same ids: what had finished has
  /// finished, and open questions can be answered in both. Its journal begins anew.
  ///
  /// @throws ThreadError if the thread is unknown, or the new one is there already
  public void copy(String thread, String as) {
    holding(
        as,
        lease -> {
          if (store.find(as).isPresent()) throw taken(as);
          if (store.copy(lease, thread)) return as;
          throw unknown(thread, "is unknown here. Check its name and the store.");
        });
  }

  /// Deletes all that is kept of a thread, its journal too.
  ///
  /// @return false if nothing was kept of it
  public boolean delete(String thread) {
    if (store.find(thread).isEmpty() && store.lastOffset(thread) == 0) return false;
    var lease = acquire(thread);
    try {
      store.delete(lease);
      return true;
    } catch (RuntimeException | Error e) {
      // The thread is still there, and is not to stay busy.
      store.release(lease);
      throw e;
    }
  }

  /// Deletes what one run wrote, whatever the thread: its checkpoints and its journal entries.
  ///
  /// @return how many checkpoints are gone
  public int deleteRun(String run) {
    int gone = 0;
    while (true) {
      var written = store.threads(ThreadQuery.newest(PAGE).writtenBy(run));
      if (written.isEmpty()) return gone;
      for (var head : written) {
        gone += holding(head.thread(), lease -> store.deleteRun(lease, run));
      }
    }
  }

  /// Deletes old checkpoints of a thread; the newest stays in any case.
  ///
  /// @return how many are gone
  public int prune(String thread, Prune prune) {
    return holding(thread, lease -> store.prune(lease, prune));
  }

  /// Deletes the journal of a thread up to and with an offset.
  ///
  /// @return how many entries are gone
  public int trimJournal(String thread, long through) {
    return holding(thread, lease -> store.trimJournal(lease, through));
  }

  /// Asks the run that is at work on a thread, wherever it is, to stop. It stops when it next
  /// renews its lease, within a fifth of the time of that, and can be resumed.
  ///
  /// @return false if none holds the thread; one that died holds it until another takes it
  public boolean cancel(String thread) {
    return store.requestCancel(thread);
  }

  /// Takes a thread from whoever holds it, as from a process on another machine that is known to be
  /// dead: the lease of one that was killed on this machine ends by itself. Whatever the holder
  /// saves from now on is refused. If it lives, its nodes go on until it notices, and what they do
  /// outside may be done a second time by whoever resumes the thread.
  ///
  /// @return false if nobody holds it
  public boolean breakLease(String thread) {
    return store.breakLease(thread);
  }

  /// Gives space that is not used any more back to the system, if the storage can do that.
  public void compact() {
    store.compact();
  }

  private <T> T holding(String thread, Function<Lease, T> work) {
    var lease = acquire(thread);
    try {
      return work.apply(lease);
    } finally {
      store.release(lease);
    }
  }

  private Lease acquire(String thread) {
    return store.acquire(thread, "process " + ProcessHandle.current().pid(), LEASE);
  }

  private static ThreadError unknown(String thread, String what) {
    return new ThreadError(thread, ThreadError.Reason.UNKNOWN, what);
  }

  private static ThreadError taken(String thread) {
    return new ThreadError(
        thread, ThreadError.Reason.TAKEN, "is there already. Choose another name.");
  }
}
