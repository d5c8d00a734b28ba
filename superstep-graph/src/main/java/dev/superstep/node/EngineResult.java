package dev.superstep.node;

/// A result that only the engine makes: that of a graph inside a node, with what no node can return
/// by itself. Code around a graph passes it on as it is.
public non-sealed interface EngineResult extends NodeResult {}
