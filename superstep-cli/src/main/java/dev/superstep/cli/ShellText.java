package dev.superstep.cli;

import java.util.regex.Pattern;

/// Words as a POSIX shell reads them back.
final class ShellText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  private ShellText() {}

  /// The word, quoted if it needs to be.
  static String word(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
