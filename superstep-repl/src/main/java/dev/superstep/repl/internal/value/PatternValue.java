package dev.superstep.repl.internal.value;

import com.google.re2j.Pattern;

/// A compiled regular expression.
public final class PatternValue extends Value {
  private final String source;
  private final Pattern pattern;
  private final int weight;

  /// @param weight of a step of its search, in operations per character
  public PatternValue(String source, Pattern pattern, int weight) {
    this.source = source;
    this.pattern = pattern;
    this.weight = weight;
  }

  public String source() {
    return source;
  }

  public Pattern pattern() {
    return pattern;
  }

  public int weight() {
    return weight;
  }

  @Override
  public String typeName() {
    return "Pattern";
  }
}
