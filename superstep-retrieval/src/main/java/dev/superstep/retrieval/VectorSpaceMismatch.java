package dev.superstep.retrieval;

import dev.superstep.json.SuperstepException;

/// Vectors of another embedder, or of another dimension, than those that the index holds. Distances
/// between them mean nothing, so nothing is written or found rather than something wrong.
public final class VectorSpaceMismatch extends SuperstepException {
  private final VectorSpace held;
  private final VectorSpace given;

  VectorSpaceMismatch(VectorSpace held, VectorSpace given) {
    super(
        "retrieval.vector-space-mismatch",
        "The index holds vectors of %s, and was given those of %s. ".formatted(held, given)
            + "Use the embedder that filled it, or index the documents again in a new one.");
    this.held = held;
    this.given = given;
  }

  /// What the index holds.
  public VectorSpace held() {
    return held;
  }

  /// What it was given.
  public VectorSpace given() {
    return given;
  }
}
