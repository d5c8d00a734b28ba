package dev.superstep.example.triage;

import java.util.regex.Pattern;

/// Makes text from outside harmless: on a terminal, and in Markdown.
final class Plain {
  // Joiners (U+200D) hold emoji together; every other invisible sign can only mislead.
  private static final Pattern INVISIBLE =
      Pattern.compile("[\\p{Cntrl}\\p{Z}\\p{Cf}&&[^\\u200D]]+");
  private static final Pattern LONE_SURROGATE = Pattern.compile("\\p{Cs}");
  private static final Pattern MARKUP = Pattern.compile("[\\\\`*_{}\\[\\]#|~@]");

  private Plain() {}

  /// One line of visible characters, cut where it is too long.
  static String line(String text, int max) {
    var line = INVISIBLE.matcher(text).replaceAll(" ").strip();
    if (line.length() > max) line = line.substring(0, max - 1).strip() + "…";
    return LONE_SURROGATE.matcher(line).replaceAll("�");
  }

  /// The same for a line of Markdown or a cell of its tables: no character makes structure, HTML or
  /// a link.
  static String markdown(String text, int max) {
    var line = line(text, max).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    line = MARKUP.matcher(line).replaceAll("\\\\$0");
    return line.replace("://", ":\\//").replace("www.", "www\\.");
  }
}
