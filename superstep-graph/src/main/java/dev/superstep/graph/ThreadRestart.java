package dev.superstep.graph;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.LeftEffects;
import dev.superstep.node.Ids;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Empties the state of a thread, as it was before its first input.
///
/// @param store of the thread
record ThreadRestart(Checkpointer store, InstantSource clock, Ids ids) {
  private static final int PAGE = 100;
  private static final int BEFORE_INPUT = -1;

  /// Saves a checkpoint without values on top of the newest one.
  ///
  /// @param isRepeating whether effects may happen again
  Checkpoint restart(Lease lease, boolean isRepeating) {
    var own = Lineage.of(lease.thread());
    var newest =
        store
            .latest(own)
            .orElseThrow(() ->
                ThreadStores.unknown(
                    lease.thread(), "is unknown here. Check its name and the store."));
    var first = first(own);
    var made = made(newest.checkpoint(), new ForkOrigin(ForkOrigin.Kind.REWIND, own, first.id()));
    LeftEffects.save(
        store, lease, new LeftEffects.Origin(lease.thread(), first), made, isRepeating);
    var changes = newest.channels().stream().map(ThreadRestart::cleared).toList();
    if (!store.commit(lease, new Commit(own, made, changes))) {
      throw ThreadStores.unknown(lease.thread(), "changed while it was taken back. Try again.");
    }
    LeftEffects.confirm(store, lease, made);
    return made;
  }

  private static ChannelChange cleared(SavedChannel channel) {
    return new ChannelChange(
        channel.name(), channel.version() + 1, new ChannelChange.Change.Cleared());
  }

  private Checkpoint made(Checkpoint newest, ForkOrigin origin) {
    ids.seen(newest.id());
    var id = ids.next();
    return new Checkpoint(
        Checkpoint.FORMAT,
        id,
        Optional.of(newest.id()),
        WriteCompletion.generationOf(id),
        BEFORE_INPUT,
        Checkpoint.Source.FORK,
        clock.instant(),
        newest.run(),
        newest.graph(),
        newest.graphHash(),
        Progress.of(List.of()).from(origin),
        newest.metadata());
  }

  private Checkpoint first(Lineage lineage) {
    Checkpoint first = null;
    var before = Optional.<String>empty();
    while (true) {
      var page = store.page(lineage, before, PAGE);
      if (!page.isEmpty()) first = page.getLast();
      if (page.size() < PAGE) return java.util.Objects.requireNonNull(first);
      before = Optional.of(page.getLast().id());
    }
  }
}
