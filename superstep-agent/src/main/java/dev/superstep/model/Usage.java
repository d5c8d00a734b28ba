package dev.superstep.model;

/// Tokens that one or several model calls used.
///
/// @param input tokens of the prompt, those read from a cache included
/// @param cachedInput the part of `input` that came from the vendor's prompt cache
/// @param output tokens of the answer, reasoning included
/// @param reasoning the part of `output` that the model spent on hidden reasoning
public record Usage(long input, long cachedInput, long output, long reasoning) {
  /// Nothing used, or nothing reported.
  public static final Usage NONE = new Usage(0, 0, 0, 0);

  /// Both together.
  public Usage plus(Usage other) {
    return new Usage(
        input + other.input,
        cachedInput + other.cachedInput,
        output + other.output,
        reasoning + other.reasoning);
  }
}
