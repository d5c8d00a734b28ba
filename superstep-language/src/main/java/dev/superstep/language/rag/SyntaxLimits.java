package dev.superstep.language.rag;

/// The bounds within which a source is read. What is beyond one is a diagnostic. Immutable.
///
/// @param bytes of the source, in UTF-8
/// @param tokens of the source
/// @param depth of braces and brackets inside each other; at most [#DEPTH_MAX]
public record SyntaxLimits(long bytes, int tokens, int depth) {
  /// The deepest nesting that may be set, so that no stack can overflow.
  public static final int DEPTH_MAX = 256;

  /// The bounds for sources that people write: 256 KiB, 100,000 tokens, 64 levels.
  public static final SyntaxLimits WRITTEN = new SyntaxLimits(256 * 1024, 100_000, 64);

  /// The bounds for sources that a model wrote: 64 KiB, 20,000 tokens, 16 levels.
  public static final SyntaxLimits GENERATED = new SyntaxLimits(64 * 1024, 20_000, 16);

  public SyntaxLimits {
    if (bytes < 1) throw new IllegalArgumentException("bytes must be at least 1, was " + bytes);
    if (tokens < 1) throw new IllegalArgumentException("tokens must be at least 1, was " + tokens);
    if (depth < 1 || depth > DEPTH_MAX) {
      throw new IllegalArgumentException("depth must be from 1 to " + DEPTH_MAX + ", was " + depth);
    }
  }

  /// Bounds that only memory sets, for measurements.
  public static SyntaxLimits lifted() {
    return new SyntaxLimits(Integer.MAX_VALUE, Integer.MAX_VALUE - 8, 64);
  }
}
