package dev.superstep.retrieval.vector;

import dev.superstep.retrieval.chunk.Chunk;

/// A chunk with its vector: what a [VectorStorage] keeps. Immutable.
public record EmbeddedChunk(Chunk chunk, Embedding embedding) {}
