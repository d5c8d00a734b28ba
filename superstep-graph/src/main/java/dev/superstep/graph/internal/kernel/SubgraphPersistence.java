package dev.superstep.graph.internal.kernel;

/// The persistence of the runs of a subgraph.
public enum SubgraphPersistence {
  /// Each activation has checkpoints of its own.
  APART,
  /// Each activation goes on from the state that the one before left.
  REMEMBERED,
  /// Nothing: it runs again as a whole.
  NOTHING
}
