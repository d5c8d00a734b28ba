package dev.superstep.cli.host;

import dev.superstep.language.VisibleText;

/// Makes text from outside harmless for a terminal. Models, mails and file names may hold escape
/// sequences that move the cursor, hide what follows or write to the clipboard.
public final class SafeText {
  private SafeText() {}

  /// Returns the text with everything spelled out, but line breaks and tabs, on which a terminal
  /// would act.
  public static String of(String text) {
    return VisibleText.of(text);
  }

  /// Returns the safe text on one line.
  public static String line(String text) {
    return VisibleText.line(text);
  }
}
