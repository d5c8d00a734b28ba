package dev.superstep.cli.host;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Quotes words for a POSIX shell.
public final class ShellText {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");

  private ShellText() {}

  /// Divides a command that is too long for a line before its options, so that the lines can be
  /// copied as one command.
  ///
  /// @param command made of quoted words
  /// @param indent the blanks before each line
  public static List<String> folded(String command, int width, int indent) {
    var margin = " ".repeat(indent);
    if (indent + command.length() <= width) return List.of(margin + command);
    var lines = new ArrayList<String>();
    var line = new StringBuilder(margin);
    boolean isQuoted = false;
    int begin = 0;
    for (int i = 0; i <= command.length(); i++) {
      boolean isEnd = i == command.length();
      if (!isEnd && command.charAt(i) == '\'') isQuoted = !isQuoted;
      if (!isEnd && (isQuoted || !command.startsWith(" --", i))) continue;
      var part = command.substring(begin, i);
      if (line.length() + part.length() + 2 > width && !line.toString().isBlank()) {
        lines.add(line + " \\");
        line = new StringBuilder(margin + " " + part);
      } else {
        line.append(part);
      }
      begin = i;
    }
    lines.add(line.toString());
    return lines;
  }

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
