package dev.superstep.retrieval.vector;

/// Which vectors can be compared: those of one embedder, with the same dimension.
///
/// @param embedder the id of the embedder
/// @param dimension how many numbers a vector has
public record VectorSpace(String embedder, int dimension) {
  /// Checks the parts.
  public VectorSpace {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, was " + dimension);
    }
  }

  @Override
  public String toString() {
    return "`%s` with %d numbers".formatted(embedder, dimension);
  }
}
