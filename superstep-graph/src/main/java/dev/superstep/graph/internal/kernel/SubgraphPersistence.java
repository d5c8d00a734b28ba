package dev.superstep.graph.internal.kernel;

/// The persistence of the runs of a subgraph.
public enum SubgraphPersistence {
  /// Each activation has checkpoints of its own.
  APART,
  /// Each activation continues from the final state of the one before.
  REMEMBERED,
  /// Nothing: it runs again as a whole.
  NOTHING
}
