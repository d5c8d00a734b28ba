package dev.superstep.checkpoint;

import java.util.List;

/// A new checkpoint and what it changes against its parent.
public record Commit(Lineage lineage, Checkpoint checkpoint, List<ChannelChange> changes) {
  public Commit {
    changes = List.copyOf(changes);
  }
}
