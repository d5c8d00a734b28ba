package dev.superstep.retrieval;

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

  InvalidEmbedding(String embedder, String why) {
    super(
        "retrieval.invalid-embedding",
        "Embedder `%s` gave %s. Correct the embedder, or give it another text."
            .formatted(embedder, why));
  }
}
