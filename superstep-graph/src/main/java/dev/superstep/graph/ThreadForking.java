package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.JournalWriter;
import dev.superstep.graph.internal.persistence.LeftEffects;
import dev.superstep.node.Ids;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Continues from an older checkpoint, in a thread of its own or in the thread itself.
record ThreadForking(ThreadStores stores, InstantSource clock, Ids ids) {
  /// Begins a thread, or goes back in it.
  ///
  /// @param as the thread itself, or another one
  /// @param isRepeating whether effects may happen again
  Checkpoint fork(String thread, String id, String as, boolean isRepeating) {
    var source = Lineage.of(thread);
    var older =
        stores
            .own()
            .byId(source, id)
            .orElseThrow(() ->
                ThreadStores.unknown(
                    thread, "has no checkpoint `" + id + "`. Look at its history."))
            .checkpoint();
    // In the thread itself, the checkpoint names what it remembers.
    boolean isApart = !thread.equals(as);
    var store = stores.own();
    var forks = ThreadStores.forks(store);
    var remembered = isApart ? remembered(thread, older) : List.<Remembered>of();
    for (var one : remembered) ThreadStores.forks(one.store());
    return ThreadStores.in(
        store,
        as,
        lease -> {
          if (isApart && stores.newest(as).isPresent()) throw ThreadStores.taken(as);
          var parent = isApart ? Optional.<String>empty() : stores.newest(as).map(Checkpoint::id);
          var kind = isApart ? ForkOrigin.Kind.FORK : ForkOrigin.Kind.REWIND;
          var made = made(older, parent, new ForkOrigin(kind, source, id));
          var told =
              isSilent(thread) ? List.<Entry>of() : List.of(forkEntry(source, made, older, as));
          // Before the thread is there, so that it never is without them.
          bring(remembered, lease);
          LeftEffects.save(store, lease, new LeftEffects.Origin(thread, older), made, isRepeating);
          var fork = new Fork(source, id, Lineage.of(as), made, told);
          if (!forks.fork(lease, fork)) {
            throw ThreadStores.unknown(thread, "changed while it was forked. Try again.");
          }
          LeftEffects.confirm(store, lease, made);
          return made;
        });
  }

  /// Returns whether nothing is in the journal of a thread; also if the store keeps no journals.
  private boolean isSilent(String thread) {
    return stores.own().capability(EventJournal.class).map(j -> j.lastOffset(thread)).orElse(0L)
        == 0;
  }

  /// The memory of a subgraph, and its place in a store.
  private record Remembered(Checkpointer store, Lineage lineage, Checkpoint checkpoint) {}

  /// Returns the memories of the subgraphs at a checkpoint, and those of graphs inside them.
  private List<Remembered> remembered(String thread, Checkpoint at) {
    var others = stores.reached(thread, at);
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
          var kept = others.getOrDefault(begin + path, stores.own());
          var lineage = new Lineage(thread, memory.namespace());
          var checkpoint =
              kept.byId(lineage, memory.checkpoint())
                  .orElseThrow(() -> ThreadStores.lost(thread, begin + path))
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
          one.store() == stores.own()
              ? ThreadStores.forks(stores.own()).fork(own, fork)
              : ThreadStores.in(
                  one.store(),
                  own.thread(),
                  lease -> ThreadStores.forks(one.store()).fork(lease, fork));
      if (!isMade)
        throw ThreadStores.unknown(
            one.lineage().thread(), "changed while it was forked. Try again.");
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
}
