package dev.superstep.cli.host;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Quotes words for a POSIX shell.
public final class ShellText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  private ShellText() {}

  /// Quotes a word if it needs to be. Characters on which a terminal would act, or that it would
  /// not show, are written as UTF-8 bytes in `$'...'`, so that a word copied from a screen is the
  /// word that was meant.
  public static String word(String word) {
    if (PLAIN.matcher(word).matches()) return word;
    if (word.codePoints().noneMatch(ForeignText::isUnseen)) {
      return "'" + word.replace("'", "'\\''") + "'";
    }
    var quoted = new StringBuilder("$'");
    for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
      if (b == '\'' || b == '\\') quoted.append('\\').append((char) b);
      else if (b >= ' ' && b < 0x7f) quoted.append((char) b);
      else quoted.append("\\%03o".formatted(b & 0xff));
    }
    return quoted.append('\'').toString();
  }
}
