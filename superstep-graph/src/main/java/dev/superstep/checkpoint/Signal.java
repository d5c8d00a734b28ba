package dev.superstep.checkpoint;

/// A node's report about its own result when it converges. Each part is a number from 0 to 1.
/// Immutable.
///
/// @param contribution how much the result brought the whole nearer to its end
/// @param surprise how far the result was from what was expected
/// @param quality how good the result is
public record Signal(double contribution, double surprise, double quality) {
  /// @throws InvalidSignal if a part is not a number from 0 to 1
  public Signal {
    check("contribution", contribution);
    check("surprise", surprise);
    check("quality", quality);
  }

  // Refused and not clamped: a NaN would spread into every mean, and a 7 is a mistake to be seen.
  private static void check(String field, double value) {
    if (!(value >= 0 && value <= 1)) throw new InvalidSignal(field, value);
  }
}
