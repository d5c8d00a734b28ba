package dev.superstep.catalog;

/// The tokens of one model call, as they are paid for.
///
/// @param input tokens of the prompt, those read from a cache and written to it included
/// @param cachedInput the part of `input` that was read from a cache
/// @param cacheWrite the part of `input` that was written to a cache
/// @param output tokens of the reply, reasoning included
public record Tokens(long input, long cachedInput, long cacheWrite, long output) {
  public Tokens {
    check("input", input);
    check("cachedInput", cachedInput);
    check("cacheWrite", cacheWrite);
    check("output", output);
  }

  /// Tokens of a call without a cache.
  public static Tokens of(long input, long output) {
    return new Tokens(input, 0, 0, output);
  }

  /// The part of the prompt that was neither read from a cache nor written to it. Vendors have been
  /// seen to report parts that are more than the whole; then it is zero.
  long plainInput() {
    return Math.max(0, input - cachedInput - cacheWrite);
  }

  private static void check(String name, long tokens) {
    if (tokens < 0) throw new IllegalArgumentException(name + " must not be negative: " + tokens);
  }
}
