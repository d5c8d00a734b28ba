package dev.superstep.model;

/// Tokens that one or several model calls used.
///
/// @param input tokens of the prompt, those read from a cache or written to it included
/// @param cachedInput the part of `input` that came from the vendor's prompt cache
/// @param cacheWrite the part of `input` that was written to the vendor's prompt cache, where that
///   is counted
/// @param output tokens of the answer, reasoning included
/// @param reasoning the part of `output` that the model spent on hidden reasoning
/// @param estimated whether the vendor did not report a part of it
public record Usage(
    long input, long cachedInput, long cacheWrite, long output, long reasoning, boolean estimated) {
  /// Nothing used, or nothing reported.
  public static final Usage NONE = new Usage(0, 0, 0, 0);

  /// The usage of a vendor that does not count tokens written to a cache.
  public Usage(long input, long cachedInput, long output, long reasoning) {
    this(input, cachedInput, 0, output, reasoning, false);
  }

  /// Both together. A sum that is too large to count stays at the largest number.
  public Usage plus(Usage other) {
    return new Usage(
        sum(input, other.input),
        sum(cachedInput, other.cachedInput),
        sum(cacheWrite, other.cacheWrite),
        sum(output, other.output),
        sum(reasoning, other.reasoning),
        estimated || other.estimated);
  }

  /// All tokens.
  public long total() {
    return sum(input, output);
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    boolean isTooLarge = one > 0 && other > 0 && sum < 0;
    return isTooLarge ? Long.MAX_VALUE : sum;
  }
}
