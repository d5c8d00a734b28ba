package dev.superstep.model;

import java.util.regex.Pattern;

/// Takes off the Markdown code fence that models like to put around JSON.
public final class Fences {
  private static final Pattern WHOLE = Pattern.compile("(?s)```[a-zA-Z0-9]*[ \\t]*\\R(.*)\\R?```");

  private Fences() {}

  /// The text within, if the whole text is one fence; else the text, both without blanks around.
  public static String strip(String text) {
    var trimmed = text.strip();
    var whole = WHOLE.matcher(trimmed);
    if (!whole.matches() || whole.group(1).contains("```")) return trimmed;
    return whole.group(1).strip();
  }
}
