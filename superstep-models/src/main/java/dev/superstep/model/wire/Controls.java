package dev.superstep.model.wire;

/// Takes out of a text what is not seen but does something: sequences that move a terminal's cursor
/// or set its title, and characters that hide or turn what is beside them.
final class Controls {
  private static final char ESCAPE = 0x1B;
  private static final char BELL = 0x07;
  private static final char STRING_END = 0x9C;
  private static final char CSI = 0x9B;

  private Controls() {}

  static String without(String text) {
    var out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == ESCAPE) at = afterEscape(text, at + 1);
      else if (next == CSI) at = afterControl(text, at + 1);
      else {
        int point = text.codePointAt(at);
        if (next == '\n' || next == '\t' || next == '\r') out.append(next == '\r' ? ' ' : next);
        else if (isSeen(point)) out.appendCodePoint(point);
        at += Character.charCount(point);
      }
    }
    return out.toString();
  }

  private static boolean isSeen(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static int afterEscape(String text, int from) {
    if (from >= text.length()) return from;
    return switch (text.charAt(from)) {
      case '[' -> afterControl(text, from + 1);
      case ']', 'P', 'X', '^', '_' -> afterString(text, from + 1);
      default -> afterShort(text, from);
    };
  }

  /// Parameters, and the letter that ends them.
  private static int afterControl(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= 0x20 && text.charAt(at) <= 0x3F) at++;
    boolean isEnd = at < text.length() && text.charAt(at) >= 0x40 && text.charAt(at) <= 0x7E;
    return isEnd ? at + 1 : at;
  }

  /// A string up to its end; one without an end goes up to the end of the line.
  private static int afterString(String text, int from) {
    for (int at = from; at < text.length(); at++) {
      char next = text.charAt(at);
      if (next == BELL || next == STRING_END) return at + 1;
      if (next == ESCAPE)
        return at + 1 < text.length() && text.charAt(at + 1) == '\\' ? at + 2 : at;
      if (next == '\n') return at;
    }
    return text.length();
  }

  private static int afterShort(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= 0x20 && text.charAt(at) <= 0x2F) at++;
    return Math.min(text.length(), at + 1);
  }
}
