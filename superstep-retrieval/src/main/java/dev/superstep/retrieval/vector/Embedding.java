package dev.superstep.retrieval.vector;

import dev.superstep.retrieval.internal.VectorCheck;
import java.util.Arrays;

/// A vector that represents the meaning of a text: texts of similar meaning have vectors of similar
/// direction. Immutable.
public final class Embedding {
  private final float[] numbers;
  private final double length;

  private Embedding(float[] numbers, double length) {
    this.numbers = numbers;
    this.length = length;
  }

  /// The vector of these numbers.
  ///
  /// @throws InvalidEmbedding if there are none, if one is not finite, or if all are zero
  public static Embedding of(float... numbers) {
    var problem = VectorCheck.problem(numbers);
    if (problem != null) throw new InvalidEmbedding(problem);
    return new Embedding(numbers.clone(), Math.sqrt(VectorCheck.product(numbers, numbers)));
  }

  /// The number of components.
  public int dimension() {
    return numbers.length;
  }

  /// A copy of its numbers.
  public float[] numbers() {
    return numbers.clone();
  }

  /// The cosine similarity to a vector of the same dimension, from -1 to 1.
  public double nearness(Embedding other) {
    if (other.numbers.length != numbers.length) {
      throw new IllegalArgumentException(
          "vectors of %d and %d numbers cannot be compared"
              .formatted(numbers.length, other.numbers.length));
    }
    return Math.clamp(
        VectorCheck.product(numbers, other.numbers) / (length * other.length), -1.0, 1.0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Embedding that && Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(numbers);
  }

  @Override
  public String toString() {
    return "Embedding of %d numbers".formatted(numbers.length);
  }
}
