package dev.superstep.graph;

import dev.superstep.checkpoint.Capability;
import dev.superstep.checkpoint.Capability.EventJournal;
import dev.superstep.checkpoint.Capability.LeaseControl;
import dev.superstep.checkpoint.Capability.ThreadForks;
import dev.superstep.checkpoint.Capability.ThreadListing;
import dev.superstep.checkpoint.Capability.ThreadRemoval;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.error.ThreadError;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.JournalWriter;
import dev.superstep.graph.internal.persistence.LeftEffects;
import dev.superstep.graph.internal.persistence.SubgraphStores;
import dev.superstep.node.Ids;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Operations on saved threads that do not need their graphs. An operation that changes a thread
/// acquires it for that time, and throws [dev.superstep.checkpoint.ThreadBusy] while a run is at
/// work on it. Safe for many threads.
///
/// Most of it needs a [Capability] of the store: a call ends with
/// [dev.superstep.checkpoint.MissingCapability], and has changed nothing, where that is missing.
public final class Threads {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int PAGE = 100;

  private final Checkpointer store;
  private final InstantSource clock;
  private final Ids ids;
  private final List<Graph> graphs;
  private final boolean isRepeating;

  private Threads(
      Checkpointer store, InstantSource clock, Ids ids, List<Graph> graphs, boolean isRepeating) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
    this.graphs = graphs;
    this.isRepeating = isRepeating;
  }

  /// The threads of a store.
  public static Threads in(Checkpointer store) {
    return new Threads(store, InstantSource.system(), Ids.timeOrdered(), List.of(), false);
  }

  /// Returns the operations with a clock and ids of their own, as for tests.
  public static Threads in(Checkpointer store, InstantSource clock, Ids ids) {
    return new Threads(store, clock, ids, List.of(), false);
  }

  /// Returns a copy for threads of these graphs, some of whose subgraphs are saved in stores of
  /// their own: an operation on a thread reaches those stores, too. Without this, operations on
  /// such threads are refused, except for those that need no other store: [#rewind], [#cancel] and
  /// reads.
  ///
  /// The stores are written one after the other, that of the thread last. If that is interrupted,
  /// the thread is unchanged, and the call can be repeated.
  public Threads reaching(Graph... inner) {
    return new Threads(store, clock, ids, List.of(inner), isRepeating);
  }

  /// Returns a copy whose forks and rewinds let everything happen again: effects that were recorded
  /// after the checkpoint neither answer a call nor raise a question.
  ///
  /// @see dev.superstep.node.Effect
  public Threads repeatingEffects() {
    return new Threads(store, clock, ids, graphs, true);
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
    return forked(thread, checkpoint, as);
  }

  /// Takes a thread back to one of its older checkpoints, in the way of a [#fork]. Its history
  /// stays, and subgraphs have the memories that they had then. So another rewind can undo it. What
  /// nodes and tools did outside after that checkpoint stays done, and is not done again in
  /// silence: [dev.superstep.node.Effect].
  ///
  /// @return the new newest checkpoint
  /// @throws ThreadError if the checkpoint is unknown
  public Checkpoint rewind(String thread, String checkpoint) {
    return forked(thread, checkpoint, thread);
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

  private Checkpoint forked(String thread, String id, String as) {
    var source = Lineage.of(thread);
    var older =
        store
            .byId(source, id)
            .orElseThrow(
                () -> unknown(thread, "has no checkpoint `" + id + "`. Look at its history."))
            .checkpoint();
    // In the thread itself, the checkpoint names what it remembers.
    boolean isApart = !thread.equals(as);
    var forks = forks(store);
    var remembered = isApart ? remembered(thread, older) : List.<Remembered>of();
    for (var one : remembered) forks(one.store());
    return holding(
        as,
        lease -> {
          if (isApart && newest(as).isPresent()) throw threadExists(as);
          var parent = isApart ? Optional.<String>empty() : newest(as).map(Checkpoint::id);
          var kind = isApart ? ForkOrigin.Kind.FORK : ForkOrigin.Kind.REWIND;
          var made = made(older, parent, new ForkOrigin(kind, source, id));
          var told =
              lastOffset(thread) == 0
                  ? List.<Entry>of()
                  : List.of(forkEntry(source, made, older, as));
          // Before the thread is there, so that it never is without them.
          bring(remembered, lease);
          LeftEffects.save(store, lease, new LeftEffects.Origin(thread, older), made, isRepeating);
          var fork = new Fork(source, id, Lineage.of(as), made, told);
          if (!forks.fork(lease, fork)) {
            throw unknown(thread, "changed while it was forked. Try again.");
          }
          LeftEffects.confirm(store, lease, made);
          return made;
        });
  }

  /// The memory of a subgraph, and its place in a store.
  private record Remembered(Checkpointer store, Lineage lineage, Checkpoint checkpoint) {}

  /// Returns the memories of the subgraphs at a checkpoint, and those of graphs inside them.
  private List<Remembered> remembered(String thread, Checkpoint at) {
    var others = reached(thread, at);
    var all = new ArrayList<Remembered>();
    remembered(thread, "", at, others, all);
    return all;
  }

  private void remembered(
      String thread,
      String begin,
      Checkpoint at,
      Map<String, Checkpointer> others,
      List<Remembered> all) {
    at.progress()
        .memories()
        .left()
        .forEach((path, memory) -> {
          var kept = others.getOrDefault(begin + path, store);
          var lineage = new Lineage(thread, memory.namespace());
          var checkpoint =
              kept.byId(lineage, memory.checkpoint())
                  .orElseThrow(() -> lost(thread, begin + path))
                  .checkpoint();
          all.add(new Remembered(kept, lineage, checkpoint));
          remembered(thread, begin + path + "/", checkpoint, others, all);
        });
  }

  /// Copies the memories of another thread, except for those that this one has already.
  @SuppressWarnings("ReferenceEquality") // a store is itself, whatever it calls equal
  private void bring(List<Remembered> all, Lease own) {
    for (var one : all) {
      var target = new Lineage(own.thread(), one.lineage().namespace());
      var made = one.checkpoint();
      if (one.store().byId(target, made.id()).isPresent()) continue;
      var fork = new Fork(one.lineage(), made.id(), target, made, List.of());
      boolean isMade =
          one.store() == store
              ? forks(store).fork(own, fork)
              : in(one.store(), own.thread(), lease -> forks(one.store()).fork(lease, fork));
      if (!isMade) throw unknown(one.lineage().thread(), "changed while it was forked. Try again.");
    }
  }

  private Checkpoint made(Checkpoint older, Optional<String> parent, ForkOrigin origin) {
    ids.seen(parent.orElse(older.id()));
    var id = ids.next();
    return new Checkpoint(
        Checkpoint.FORMAT,
        id,
        parent,
        WriteCompletion.generationOf(id),
        older.step(),
        Checkpoint.Source.FORK,
        clock.instant(),
        older.run(),
        older.graph(),
        older.graphHash(),
        older
            .progress()
            .with(anew(older.progress().next()), anew(older.progress().held()))
            .from(origin),
        older.metadata());
  }

  /// Returns these nodes with tasks of their own.
  private static List<PendingNode> anew(List<PendingNode> due) {
    return due.stream().map(PendingNode::anew).toList();
  }

  private Entry forkEntry(Lineage source, Checkpoint made, Checkpoint older, String as) {
    var origin =
        new Origin(
            made.run(),
            Optional.of(as),
            made.graph(),
            List.of(),
            0,
            made.at(),
            made.step(),
            Map.of(),
            false);
    var event = new Event.ThreadForked(origin, source.thread(), older.id(), made.id());
    return JournalWriter.entryOf(event);
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
        newest(thread)
            .orElseThrow(() -> unknown(thread, "is unknown here. Check its name and the store."));
    var elsewhere = stores(reached(thread, head));
    var forks = forks(store);
    for (var other : elsewhere) {
      forks(other);
      removal(other);
    }
    holding(
        as,
        lease -> {
          if (newest(as).isPresent()) throw threadExists(as);
          // Before the thread is there, so that it never is without them.
          for (var other : elsewhere) {
            // Content there is from a deleted thread, or from an unfinished copy.
            delete(other, as);
            in(other, as, held -> forks(other).copy(held, thread));
          }
          if (forks.copy(lease, thread)) return as;
          throw unknown(thread, "is unknown here. Check its name and the store.");
        });
  }

  /// Deletes everything of a thread, its journal too.
  ///
  /// @return false if nothing of it was stored
  /// @throws ThreadError if subgraphs of the thread are saved in stores that are not
  ///   [reached][#reaching]; nothing is deleted then
  public boolean delete(String thread) {
    var head = newest(thread);
    head.ifPresent(known -> reached(thread, known));
    var removal = removal(store);
    for (var other : others()) removal(other);
    boolean isKnown = head.isPresent() || lastOffset(thread) > 0;
    var lease = acquire(store, thread);
    try {
      // The thread itself comes last: as long as it exists, it names the other stores.
      for (var other : others()) delete(other, thread);
      // Also what a run left that died before it had made the thread.
      removal.delete(lease);
      return isKnown;
    } catch (RuntimeException | Error e) {
      // The thread is still there, and is not to stay busy.
      store.release(lease);
      throw e;
    }
  }

  private static void delete(Checkpointer store, String thread) {
    var removal = removal(store);
    var lease = acquire(store, thread);
    try {
      removal.delete(lease);
    } catch (RuntimeException | Error e) {
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
    var query = ThreadQuery.newest(PAGE).writtenBy(run);
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
    var elsewhere = stores(reached(thread, head.checkpoint()));
    var removal = removal(store);
    for (var other : elsewhere) removal(other);
    return holding(
        thread,
        lease -> {
          int own = removal.deleteRun(lease, run, needed(elsewhere, store, thread));
          for (var other : elsewhere) {
            var needed = needed(elsewhere, other, thread);
            in(other, thread, held -> removal(other).deleteRun(held, run, needed));
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
    var elsewhere = newest(thread).map(at -> stores(reached(thread, at))).orElse(List.of());
    var removal = removal(store);
    for (var other : elsewhere) removal(other);
    return holding(
        thread,
        lease -> {
          int gone = removal.prune(lease, prune.needing(needed(elsewhere, store, thread)));
          for (var other : elsewhere) {
            var needed = needed(elsewhere, other, thread);
            gone += in(other, thread, held -> removal(other).prune(held, prune.needing(needed)));
          }
          return gone;
        });
  }

  /// Returns the memories in one store that checkpoints in the other stores refer to.
  @SuppressWarnings("ReferenceEquality") // a store is itself, whatever it calls equal
  private Set<Memory> needed(List<Checkpointer> elsewhere, Checkpointer in, String thread) {
    if (elsewhere.isEmpty()) return Set.of();
    var needed = new HashSet<Memory>();
    var stores = new ArrayList<>(elsewhere);
    stores.add(store);
    for (var other : stores) if (other != in) named(other, Lineage.of(thread), needed);
    // Those in between are in stores of their own.
    var open = new ArrayDeque<>(needed);
    while (!open.isEmpty()) {
      var memory = open.remove();
      var lineage = new Lineage(thread, memory.namespace());
      for (var other : stores) {
        other
            .byId(lineage, memory.checkpoint())
            .ifPresent(saved -> {
              for (var below : saved.checkpoint().progress().memories().left().values()) {
                if (needed.add(below)) open.add(below);
              }
            });
      }
    }
    return needed;
  }

  private static void named(Checkpointer store, Lineage lineage, Set<Memory> named) {
    var before = Optional.<String>empty();
    while (true) {
      var page = store.page(lineage, before, PAGE);
      if (page.isEmpty()) return;
      for (var at : page) named.addAll(at.progress().memories().left().values());
      before = Optional.of(page.getLast().id());
    }
  }

  /// Deletes the journal of a thread up to and with an offset.
  ///
  /// @return how many entries are gone
  public int trimJournal(String thread, long through) {
    var journal = Capability.required(store, EventJournal.class, "Trimming a journal");
    return holding(thread, lease -> journal.trimJournal(lease, through));
  }

  /// Asks the run that is at work on a thread, wherever it is, to stop. It stops when it next
  /// renews its lease, within a fifth of the time of that, and can be resumed.
  ///
  /// @return false if none holds the thread; one that died holds it until another takes it
  public boolean cancel(String thread) {
    return Capability.required(store, LeaseControl.class, "Cancelling a run from outside")
        .requestCancel(thread);
  }

  /// Takes a thread from its owner, as from a process on another machine that is known to be dead:
  /// the lease of a process killed on this machine ends by itself. Later writes of the owner are
  /// refused. If it lives, its nodes run on until it notices, and their outside effects may happen
  /// a second time when the thread is resumed.
  ///
  /// @return false if nobody holds it
  public boolean breakLease(String thread) {
    return Capability.required(store, LeaseControl.class, "Breaking a lease").breakLease(thread);
  }

  /// Gives space that is not used any more back to the system, if the storage can do that.
  public void compact() {
    removal(store).compact();
  }

  // --- What the store can do ---

  /// A thread is there if it has a checkpoint.
  private Optional<Checkpoint> newest(String thread) {
    return store.page(Lineage.of(thread), Optional.empty(), 1).stream().findFirst();
  }

  /// 0 as well where the store keeps no journals.
  private long lastOffset(String thread) {
    return store.capability(EventJournal.class).map(j -> j.lastOffset(thread)).orElse(0L);
  }

  private ThreadListing listing(String feature) {
    return Capability.required(store, ThreadListing.class, feature);
  }

  private static ThreadForks forks(Checkpointer store) {
    return Capability.required(store, ThreadForks.class, "Forking or copying a thread");
  }

  private static ThreadRemoval removal(Checkpointer store) {
    return Capability.required(store, ThreadRemoval.class, "Deleting what is stored");
  }

  // --- Other stores ---

  /// The other stores of subgraphs, by the paths of the subgraphs.
  ///
  /// @throws ThreadError if one of them is not known
  private Map<String, Checkpointer> reached(String thread, Checkpoint at) {
    var needed = at.progress().memories().elsewhere();
    if (needed.isEmpty()) return Map.of();
    for (var graph : graphs) {
      if (!graph.name().equals(at.graph())) continue;
      var stores = SubgraphStores.of(graph.compiled(), store);
      if (stores.keySet().containsAll(needed)) return stores;
    }
    throw new ThreadError(
        thread,
        ThreadError.Reason.ELSEWHERE,
        ("has graphs inside that are kept in other stores: %s. Nothing was changed. Name"
                + " graph `%s`, which knows these stores, by `Threads.in(store).reaching(graph)`.")
            .formatted(needed, at.graph()));
  }

  /// All stores that the graphs know.
  private List<Checkpointer> others() {
    return graphs.stream()
        .flatMap(g -> stores(SubgraphStores.of(g.compiled(), store)).stream())
        .distinct()
        .toList();
  }

  private static List<Checkpointer> stores(Map<String, Checkpointer> byPath) {
    var stores = Collections.<Checkpointer>newSetFromMap(new IdentityHashMap<>());
    stores.addAll(byPath.values());
    return List.copyOf(stores);
  }

  private <T> T holding(String thread, Function<Lease, T> work) {
    return in(store, thread, work);
  }

  private static <T> T in(Checkpointer store, String thread, Function<Lease, T> work) {
    var lease = acquire(store, thread);
    try {
      return work.apply(lease);
    } finally {
      store.release(lease);
    }
  }

  private static Lease acquire(Checkpointer store, String thread) {
    return store.acquire(thread, "process " + ProcessHandle.current().pid(), LEASE);
  }

  private static ThreadError lost(String thread, String path) {
    return new ThreadError(
        thread,
        ThreadError.Reason.MEMORY_LOST,
        "goes on from what the graph inside `"
            + path
            + "` left, and its store does not have that any more. Restore that store.");
  }

  private static ThreadError unknown(String thread, String what) {
    return new ThreadError(thread, ThreadError.Reason.UNKNOWN, what);
  }

  private static ThreadError threadExists(String thread) {
    return new ThreadError(
        thread, ThreadError.Reason.TAKEN, "is there already. Choose another name.");
  }

  @Override
  public String toString() {
    return "Threads[" + store + "]";
  }
}
