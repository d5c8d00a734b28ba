package dev.superstep.retrieval.vector;

import dev.superstep.json.SuperstepException;

/// A vector is not valid, or an embedder returned the wrong number or size of vectors. Nothing was
/// written.
public final class InvalidEmbedding extends SuperstepException {
  InvalidEmbedding(String why) {
    super(
        "retrieval.invalid-embedding",
        "An embedding cannot be a vector "
            + why
            + ". Give finite numbers that are not all zero, or leave out what has no meaning.");
  }

  /// Says which embedder gave the vectors, and what is wrong with them.
  public InvalidEmbedding(String embedder, String why) {
    super(
        "retrieval.invalid-embedding",
        "Embedder `%s` gave %s. Correct the embedder, or give it another text."
            .formatted(embedder, why));
  }
}
