package dev.superstep.skills;

/// Text without characters that hide something. Those are shown by their numbers.
final class PlainText {
  private static final int TAGS_FIRST = 0xE0000;
  private static final int TAGS_LAST = 0xE0FFF;

  private PlainText() {}

  /// A text in which every character can be seen. Line ends become `\n`.
  static String visible(String text) {
    var plain = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (c == '\r') {
        if (at >= text.length() || text.charAt(at) != '\n') plain.append('\n');
      } else if (c == '\n' || c == '\t' || !isHidden(c)) {
        plain.appendCodePoint(c);
      } else {
        plain.append("\\u{%X}".formatted(c));
      }
    }
    return plain.toString();
  }

  /// A line in which every character can be seen, cut off after so many characters.
  static String oneLine(String text, int most) {
    var cut = text.length() > 4 * most ? text.substring(0, 4 * most) : text;
    var line = visible(cut).strip().replaceAll("\\s+", " ");
    return line.length() <= most && cut.length() == text.length()
        ? line
        : line.substring(0, whole(line, Math.min(line.length(), most))) + "...";
  }

  /// A text, cut off after so many characters.
  static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, whole(text, most)) + "...";
  }

  /// The largest length up to the given one that cuts no character in two.
  static int whole(String text, int most) {
    return most > 0 && most < text.length() && Character.isHighSurrogate(text.charAt(most - 1))
        ? most - 1
        : most;
  }

  /// Returns whether a text has a character that cannot be seen.
  static boolean hides(String text) {
    return text.codePoints().anyMatch(c -> c != '\n' && c != '\t' && c != '\r' && isHidden(c));
  }

  private static boolean isHidden(int c) {
    int type = Character.getType(c);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.SURROGATE
        || type == Character.PRIVATE_USE
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || (c >= TAGS_FIRST && c <= TAGS_LAST);
  }
}
