package dev.superstep.language;

/// A line of a source as a terminal shows it, with the columns of one span in it. Tabs become
/// spaces, hidden characters their numbers, and a long line is cut around the span.
///
/// @param text at most about [#WIDTH_MAX] columns
/// @param column of the span's beginning, from 0
/// @param width of the span, at least 1
record TextColumns(String text, int column, int width) {
  static final int WIDTH_MAX = 120;

  private static final int TAB = 4;
  private static final int LEAD = 40;
  private static final String CUT = "…";

  /// Lays out a line.
  ///
  /// @param from where the span begins in the line
  /// @param to where it ends in the line
  static TextColumns of(String line, int from, int to) {
    int first = line.length() <= WIDTH_MAX ? 0 : Math.max(0, from - LEAD);
    if (first > 0 && Character.isLowSurrogate(line.charAt(first))) first--;
    var shown = new StringBuilder(first > 0 ? CUT : "");
    int at = first > 0 ? 1 : 0;
    int begin = -1;
    int end = -1;
    int i = first;
    while (i < line.length()) {
      if (i >= from && begin < 0) begin = at;
      if (i >= to && end < 0) end = at;
      if (at >= WIDTH_MAX) {
        shown.append(CUT);
        break;
      }
      int c = line.codePointAt(i);
      var text = show(c, at);
      shown.append(text);
      at += c == '\t' || CodePoints.isHidden(c) ? text.length() : width(c);
      i += Character.charCount(c);
    }
    if (begin < 0) begin = at;
    if (end < 0) end = at;
    return new TextColumns(shown.toString(), begin, Math.max(1, end - begin));
  }

  private static String show(int c, int column) {
    if (c == '\t') return " ".repeat(TAB - column % TAB);
    if (CodePoints.isHidden(c)) return "<" + CodePoints.show(c) + ">";
    return Character.toString(c);
  }

  /// The columns of a character: none for marks that combine, two for wide ones.
  static int width(int c) {
    if (c < 0x300) return 1;
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) return 0;
    return isWide(c) ? 2 : 1;
  }

  private static boolean isWide(int c) {
    if (c < 0x1100) return false;
    return c <= 0x115F
        || (c >= 0x2E80 && c <= 0xA4CF && c != 0x303F)
        || (c >= 0xAC00 && c <= 0xD7A3)
        || (c >= 0xF900 && c <= 0xFAFF)
        || (c >= 0xFE30 && c <= 0xFE6F)
        || (c >= 0xFF00 && c <= 0xFF60)
        || (c >= 0xFFE0 && c <= 0xFFE6)
        || (c >= 0x1F300 && c <= 0x1F64F)
        || (c >= 0x1F680 && c <= 0x1F6FF)
        || (c >= 0x1F900 && c <= 0x1F9FF)
        || (c >= 0x20000 && c <= 0x3FFFD);
  }
}
