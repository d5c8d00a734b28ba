package dev.superstep.cli.host;

/// Makes text from outside harmless for a terminal. Models, mails and file names may hold escape
/// sequences that move the cursor, hide what follows or write to the clipboard.
public final class SafeText {
  private SafeText() {}

  /// Returns the text with everything spelled out, but line breaks and tabs, on which a terminal
  /// would act.
  public static String of(String text) {
    var safe = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(safe, c));
    return safe.toString();
  }

  /// Returns the safe text on one line.
  public static String line(String text) {
    return of(text.strip().replaceAll("\\s*\\R\\s*", " ").replace('\t', ' '));
  }

  private static void append(StringBuilder safe, int c) {
    if (c == '\n' || c == '\t' || !acts(c)) safe.appendCodePoint(c);
    else safe.append("\\u%04x".formatted(c));
  }

  private static boolean acts(int c) {
    return switch (Character.getType(c)) {
      // FORMAT holds the marks that reverse the direction of text, so that it reads as another.
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          c != ZERO_WIDTH_JOINER;
      default -> false;
    };
  }

  // Part of emoji and of several scripts, and harmless.
  private static final int ZERO_WIDTH_JOINER = 0x200D;
}
