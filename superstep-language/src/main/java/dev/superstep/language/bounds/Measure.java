package dev.superstep.language.bounds;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The measures of what a run takes. Each is a key of `limits`.
public enum Measure {
  MODEL_CALLS("model calls"),
  TOOL_CALLS("tool calls"),
  TOKENS("tokens"),
  COST("US dollars"),
  DEPTH("agents inside each other"),
  TASKS("tasks");

  private final String noun;

  Measure(String noun) {
    this.noun = noun;
  }

  /// The key in a source.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The words for people.
  public String noun() {
    return noun;
  }

  /// The measure of a key of `limits`, if there is one.
  public static Optional<Measure> of(String word) {
    return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
  }
}
