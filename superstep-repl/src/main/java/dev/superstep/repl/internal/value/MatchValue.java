package dev.superstep.repl.internal.value;

/// A match of a regular expression: the offsets of its groups in a text.
public final class MatchValue extends Value {
  private final PatternValue pattern;
  private final Str text;
  private final int[] bounds;

  /// @param bounds in `char`s, two for each group; -1 for one that took no part
  public MatchValue(PatternValue pattern, Str text, int[] bounds) {
    this.pattern = pattern;
    this.text = text;
    this.bounds = bounds;
  }

  public PatternValue pattern() {
    return pattern;
  }

  public Str text() {
    return text;
  }

  public int groups() {
    return bounds.length / 2 - 1;
  }

  public int start(int group) {
    return bounds[2 * group];
  }

  public int end(int group) {
    return bounds[2 * group + 1];
  }

  @Override
  public String typeName() {
    return "Match";
  }
}
