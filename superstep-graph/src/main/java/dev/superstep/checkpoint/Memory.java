package dev.superstep.checkpoint;

/// A checkpoint of a subgraph that remembers: the state from which its next activation continues.
/// Immutable.
///
/// @param namespace of its lineage, in the thread and in the store of the subgraph
/// @param checkpoint its id
public record Memory(String namespace, String checkpoint) {}
