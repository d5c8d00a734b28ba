package dev.superstep.model.dialect;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The tags around calls and results of tools in texts.
final class Envelope {
  static final String OPEN = "<tool_call>";
  static final String CLOSE = "</tool_call>";
  private static final int CLOSERS_MAX = 8;
  private static final Pattern FORGED =
      Pattern.compile("<(?=\\s*/?\\s*tool_(?:call|result))", Pattern.CASE_INSENSITIVE);

  private Envelope() {}

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

  /// The beginning of a text that is surely not in tags, whatever follows.
  static String certain(String text) {
    int open = text.indexOf(OPEN);
    var before = open >= 0 ? text.substring(0, open) : text;
    if (open < 0) {
      for (int length = Math.min(OPEN.length() - 1, text.length()); length > 0; length--) {
        if (OPEN.startsWith(text.substring(text.length() - length))) {
          before = text.substring(0, text.length() - length);
          break;
        }
      }
    }
    return before.stripTrailing();
  }
}
