package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Lineage;

/// The lineage and id of a checkpoint from which tasks run; it may not exist yet.
public record CheckpointKey(Lineage lineage, String checkpoint) {}
