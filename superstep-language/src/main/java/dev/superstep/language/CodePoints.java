package dev.superstep.language;

import java.util.Locale;
import java.util.stream.Collectors;

/// Says which characters a text holds, where they cannot be shown as they are.
public final class CodePoints {
  private static final int SHOWN_MAX = 8;

  private CodePoints() {}

  /// Returns whether a character changes or hides how the text around it looks, or is none at all:
  /// controls, directions, zero widths, lone surrogates, line separators, noncharacters.
  public static boolean isHidden(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.UNASSIGNED -> (codePoint & 0xFFFE) == 0xFFFE;
      default -> codePoint == 0x034F || codePoint == 0x115F || codePoint == 0x3164;
    };
  }

  /// Returns whether a character changes the direction of the text after it.
  public static boolean isDirection(int codePoint) {
    return (codePoint >= 0x202A && codePoint <= 0x202E)
        || (codePoint >= 0x2066 && codePoint <= 0x2069)
        || codePoint == 0x200E
        || codePoint == 0x200F
        || codePoint == 0x061C;
  }

  /// A character as `U+202E`.
  public static String show(int codePoint) {
    return String.format(Locale.ROOT, "U+%04X", codePoint);
  }

  /// The characters of a text that are not printable ASCII, each once, as `U+0430, U+200B`.
  public static String foreign(String text) {
    var all = text.codePoints().filter(c -> c < 0x20 || c > 0x7E).distinct();
    var some = all.limit(SHOWN_MAX + 1L).mapToObj(CodePoints::show).toList();
    return some.size() <= SHOWN_MAX
        ? String.join(", ", some)
        : some.stream().limit(SHOWN_MAX).collect(Collectors.joining(", ")) + " and more";
  }

  /// A text for a message: at most so many characters, with hidden ones as `<U+202E>`.
  public static String quote(String text, int most) {
    var shown = new StringBuilder();
    int count = 0;
    for (int i = 0; i < text.length(); count++) {
      if (count == most) return shown.append('…').toString();
      int c = text.codePointAt(i);
      if (isHidden(c)) shown.append('<').append(show(c)).append('>');
      else shown.appendCodePoint(c);
      i += Character.charCount(c);
    }
    return shown.toString();
  }
}
