package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The checkpoints of a lineage without what their channels hold, read by pages from the newest on.
/// One thread at a time.
public final class CheckpointHistory {
  private static final int PAGE = 200;

  private final Checkpointer store;
  private final Lineage lineage;
  private Map<String, Checkpoint> page = Map.of();

  public CheckpointHistory(Checkpointer store, Lineage lineage) {
    this.store = store;
    this.lineage = lineage;
  }

  /// The checkpoint at which the lineage stands; after a rewind of the thread, it need not be the
  /// one that was made last.
  public @Nullable Checkpoint newest() {
    return store.latest(lineage).map(Saved::checkpoint).orElse(null);
  }

  public @Nullable Checkpoint find(String id) {
    return store.byId(lineage, id).map(Saved::checkpoint).orElse(null);
  }

  /// The parent of a checkpoint, if it is stored.
  public @Nullable Checkpoint parent(Checkpoint child) {
    var id = child.parent().orElse(null);
    if (id == null) return null;
    var known = page.get(id);
    if (known != null) return known;
    page = read(store.page(lineage, Optional.of(child.id()), PAGE));
    var read = page.get(id);
    // It may be far before the others, if the thread was rewound.
    return read != null ? read : find(id);
  }

  private static Map<String, Checkpoint> read(List<Checkpoint> all) {
    var page = new HashMap<String, Checkpoint>();
    for (var checkpoint : all) page.put(checkpoint.id(), checkpoint);
    return page;
  }
}
