package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lineage;

/// The checkpoint from which tasks run; it may be one that is still to come.
record Where(Lineage lineage, String checkpoint) {}
