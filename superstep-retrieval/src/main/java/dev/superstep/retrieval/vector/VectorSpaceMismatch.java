package dev.superstep.retrieval.vector;

import dev.superstep.json.SuperstepException;

/// The vectors come from another embedder, or have another dimension, than those in the index.
/// Distances between them mean nothing, so nothing is written or found.
public final class VectorSpaceMismatch extends SuperstepException {
  private final VectorSpace held;
  private final VectorSpace given;

  /// Says which vectors are in the index, and which were given.
  public VectorSpaceMismatch(VectorSpace held, VectorSpace given) {
    super(
        "retrieval.vector-space-mismatch",
        "The index holds vectors of %s, and was given those of %s. ".formatted(held, given)
            + "Use the embedder that filled it, or index the documents again in a new one.");
    this.held = held;
    this.given = given;
  }

  /// The vector space of the index.
  public VectorSpace indexSpace() {
    return held;
  }

  /// The vector space of the given vectors.
  public VectorSpace vectorSpace() {
    return given;
  }
}
