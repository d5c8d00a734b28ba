package dev.superstep.retrieval;

/// A chunk that a search found. Immutable.
///
/// @param score how near its meaning is to the query, from -1 to 1, whatever put it in its place of
///   the list
public record Match(Chunk chunk, double score) {}
