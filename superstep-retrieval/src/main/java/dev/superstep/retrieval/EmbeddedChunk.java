package dev.superstep.retrieval;

/// A chunk with its vector: what a [VectorStorage] keeps. Immutable.
public record EmbeddedChunk(Chunk chunk, Embedding embedding) {}
