package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Several checkpoints of a lineage as one: the newest of them, with all changes since the parent
/// of the oldest. Adding one costs O(its changes). For one thread at a time.
final class PendingCommit {
  private final Optional<String> parent;
  private final Map<String, PendingChange> changes = new LinkedHashMap<>();
  private Commit newest;
  private Optional<String> topology = Optional.empty();

  PendingCommit(Commit first) {
    this.parent = first.checkpoint().parent();
    this.newest = first;
    add(first);
  }

  void add(Commit next) {
    newest = next;
    if (topology.isEmpty()) topology = next.topology();
    for (var change : next.changes()) {
      changes.computeIfAbsent(change.name(), _ -> new PendingChange()).add(change);
    }
  }

  String checkpoint() {
    return newest.checkpoint().id();
  }

  String generation() {
    return newest.checkpoint().generation();
  }

  /// All of them as one, without entries of the journal.
  Commit commit() {
    var all = new ArrayList<ChannelChange>(changes.size());
    changes.forEach((name, change) -> all.add(change.of(name)));
    return new Commit(
        newest.lineage(),
        withParent(newest.checkpoint()),
        all,
        newest.tasks(),
        newest.steps(),
        List.of(),
        newest.answers(),
        List.of(),
        topology);
  }

  private Checkpoint withParent(Checkpoint at) {
    return new Checkpoint(
        at.format(),
        at.id(),
        parent,
        at.generation(),
        at.step(),
        at.source(),
        at.at(),
        at.run(),
        at.graph(),
        at.graphHash(),
        at.progress(),
        at.metadata());
  }

  /// Writes the values as text.
  ///
  /// @throws dev.superstep.json.SuperstepException if one cannot be written, or read again
  void write() {
    changes.forEach((name, change) -> change.write(name));
  }

  /// Consecutive changes of a channel as one.
  private static final class PendingChange {
    private long version;
    // Null if it is items.
    private @Nullable Change whole;
    private int kept;
    private List<Json> added = new ArrayList<>();
    private boolean isAny;

    void add(ChannelChange next) {
      version = next.version();
      if (next.change() instanceof Change.Items(var keeps, var more)) {
        addItems(keeps, more);
      } else {
        whole = next.change();
        added = new ArrayList<>();
      }
      isAny = true;
    }

    private void addItems(int keeps, List<Json> more) {
      // The items to retain must exist.
      if (whole != null && keeps > 0) {
        throw new IllegalArgumentException("there are no " + keeps + " items to keep");
      }
      if (isAny && whole == null && keeps > kept) {
        added.subList(keeps - kept, added.size()).clear();
      } else {
        kept = keeps;
        added.clear();
      }
      whole = null;
      added.addAll(more);
    }

    ChannelChange of(String name) {
      var change = whole == null ? new Change.Items(kept, added) : whole;
      return new ChannelChange(name, version, change);
    }

    void write(String name) {
      if (whole instanceof Change.Whole(var value)) {
        var _ = ValueForm.TEXT.ofFold(value, "channel", name);
      }
      for (var item : added) {
        var _ = ValueForm.TEXT.ofFold(item, "item of channel", name);
      }
    }
  }
}
