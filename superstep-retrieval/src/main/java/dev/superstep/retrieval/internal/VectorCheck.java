package dev.superstep.retrieval.internal;

import org.jspecify.annotations.Nullable;

/// Checks the numbers of vectors.
public final class VectorCheck {
  private VectorCheck() {}

  /// Returns the reason why some numbers are not a valid vector, as the end of a sentence about "a
  /// vector".
  public static @Nullable String problem(float[] numbers) {
    if (numbers.length == 0) return "of no numbers";
    double square = product(numbers, numbers);
    if (!Double.isFinite(square)) return "with a number that is not finite";
    return square == 0 ? "of zeros, which has no direction" : null;
  }

  /// The scalar product of two vectors of the same dimension.
  public static double product(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) sum += (double) one[i] * other[i];
    return sum;
  }
}
