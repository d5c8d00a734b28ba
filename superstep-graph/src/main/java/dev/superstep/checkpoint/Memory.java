package dev.superstep.checkpoint;

/// A checkpoint of a graph inside that remembers: the state from which its next activation goes on.
/// Immutable.
///
/// @param namespace of its lineage, in the thread and in the store where the graph is kept
/// @param checkpoint its id
public record Memory(String namespace, String checkpoint) {}
