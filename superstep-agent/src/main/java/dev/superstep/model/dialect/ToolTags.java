package dev.superstep.model.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The tags that enclose calls and results of tools in texts.
final class ToolTags {
  static final String OPEN = "<tool_call>";
  static final String CLOSE = "</tool_call>";
  private static final int CLOSERS_MAX = 8;
  private static final Pattern FORGED =
      Pattern.compile("<(?=\\s*+(?:/\\s*+)?tool_(?:call|result))", Pattern.CASE_INSENSITIVE);

  private ToolTags() {}

  /// A text taken apart.
  ///
  /// @param outside what is not in tags
  /// @param bodies what is, in order
  record Opened(String outside, List<String> bodies) {}

  /// A call in its tags.
  static String call(String body) {
    return OPEN + body + CLOSE;
  }

  /// A result in its tags. Nothing in it can look like one of ours.
  static String result(String callId, String tool, boolean error, String text) {
    var failed = error ? " error=\"true\"" : "";
    return "<tool_result id=\"%s\" tool=\"%s\"%s>\n%s\n</tool_result>"
        .formatted(attribute(callId), attribute(tool), failed, harmless(text));
  }

  private static String attribute(String value) {
    return value.replace("&", "&amp;").replace("\"", "&quot;").replace("<", "&lt;");
  }

  /// The text, without anything that could be taken for one of the tags; all else stays.
  static String harmless(String text) {
    return FORGED.matcher(text).replaceAll("&lt;");
  }

  /// @param isGood whether a body is a proper call: one may hold the closing tag in a text
  static Opened open(String text, Predicate<String> isGood) {
    var outside = new StringBuilder();
    var bodies = new ArrayList<String>();
    int at = 0;
    while (true) {
      int open = text.indexOf(OPEN, at);
      if (open < 0) break;
      outside.append(text, at, open);
      int from = open + OPEN.length();
      int close = close(text, from, isGood);
      bodies.add(text.substring(from, close).strip());
      at = Math.min(text.length(), close + CLOSE.length());
    }
    outside.append(text, at, text.length());
    return new Opened(
        bodies.isEmpty() ? text : outside.toString().stripTrailing(), List.copyOf(bodies));
  }

  /// Where the body that begins at `from` ends.
  private static int close(String text, int from, Predicate<String> isGood) {
    int first = text.indexOf(CLOSE, from);
    if (first < 0) return text.length();
    int close = first;
    for (int i = 0; i < CLOSERS_MAX && close >= 0; i++) {
      if (isGood.test(text.substring(from, close).strip())) return close;
      close = text.indexOf(CLOSE, close + 1);
    }
    return first;
  }

  /// Says how much of a text that arrives is surely not in tags, whatever follows.
  static final class Outside implements StreamHoldback.Sure {
    // Where the first tag begins, or what may become one, as far as the text was looked at.
    private int limit;
    // Blanks before a tag go with it.
    private int inked;
    private boolean isOpen;

    @Override
    public int from() {
      return 0;
    }

    @Override
    public int to(StringBuilder heard) {
      if (!isOpen) {
        int open = heard.indexOf(OPEN, limit);
        isOpen = open >= 0;
        int before = limit;
        limit = isOpen ? open : heard.length() - unfinished(heard);
        for (int i = before; i < limit; i++) {
          if (!Character.isWhitespace(heard.charAt(i))) inked = i + 1;
        }
      }
      return inked;
    }

    /// The number of characters at the end that may be the beginning of a tag.
    private static int unfinished(StringBuilder heard) {
      for (int length = Math.min(OPEN.length() - 1, heard.length()); length > 0; length--) {
        int from = heard.length() - length;
        boolean isBeginning = true;
        for (int i = 0; i < length && isBeginning; i++) {
          isBeginning = heard.charAt(from + i) == OPEN.charAt(i);
        }
        if (isBeginning) return length;
      }
      return 0;
    }
  }
}
