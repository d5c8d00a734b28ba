package dev.superstep.retrieval;

/// A chunk with its vector: what a [VectorStorage] keeps. Immutable.
public record Embedded(Chunk chunk, Embedding embedding) {}
