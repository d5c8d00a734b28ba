package dev.superstep.cli.host;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Words as a POSIX shell reads them back.
public final class ShellText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  private ShellText() {}

  /// The word, quoted if it needs to be. What a terminal would act on, or not show, is written as
  /// the bytes of its UTF-8 in `$'...'`, so that what is copied from a screen is what was meant.
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
