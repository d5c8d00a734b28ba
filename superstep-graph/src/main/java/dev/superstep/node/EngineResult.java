package dev.superstep.node;

/// A result that only the engine makes: that of a subgraph, with parts that no node can return by
/// itself. Code around a subgraph passes it on, perhaps with more writes.
public non-sealed interface EngineResult extends NodeResult {
  /// Returns a copy that writes more to the outer graph.
  EngineResult and(Update more);
}
