package dev.superstep.cli.screen;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.WCWidth;

/// Measures, cuts and wraps text by the cells of a terminal: letters of East Asia and emoji take
/// two, combining marks none. The text is on one line and safe to print.
public final class CellText {
  private static final String CUT = "…";
  private static final String MARKS = ",:;}]/&?=";

  private CellText() {}

  /// The cells that a text takes.
  public static int width(String text) {
    int cells = 0;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      cells += width(c);
      i += Character.charCount(c);
    }
    return cells;
  }

  static int width(int codePoint) {
    return Math.max(0, WCWidth.wcwidth(codePoint));
  }

  /// Returns the text with blanks behind it up to a width.
  public static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - width(text)));
  }

  /// Cuts a text that is wider, and marks that by an ellipsis.
  public static String cut(String text, int width) {
    if (width(text) <= width) return text;
    return chopped(text, Math.max(1, width - 1)).getFirst().stripTrailing() + CUT;
  }

  /// Wraps a line at blanks where there are some; words that are wider than the line are chopped.
  /// Nothing is lost but the blanks at line ends.
  public static List<String> wrapped(String line, int width) {
    var lines = new ArrayList<String>();
    var current = new StringBuilder();
    var indent = " ".repeat(Math.min(line.length() - line.stripLeading().length(), width / 2));
    for (var word : line.strip().split(" ", -1)) {
      int taken = current.isEmpty() ? 0 : width(current.toString()) + 1;
      if (taken > 0 && taken + width(word) > width) {
        lines.add(current.toString());
        current.setLength(0);
      }
      current.append(current.isEmpty() ? indent : " ").append(word);
      while (width(current.toString()) > width) {
        var first = softly(chopped(current.toString(), width).getFirst());
        lines.add(first);
        current.delete(0, first.length());
      }
    }
    lines.add(current.toString());
    return lines;
  }

  /// The part of a full line up to its last mark, if one is in its second half: JSON, paths and
  /// addresses have marks and no blanks.
  private static String softly(String line) {
    for (int i = line.length() - 1; i > line.length() / 2; i--) {
      if (MARKS.indexOf(line.charAt(i)) >= 0) return line.substring(0, i + 1);
    }
    return line;
  }

  /// Divides a line exactly where it is full.
  static List<String> chopped(String line, int width) {
    var lines = new ArrayList<String>();
    var current = new StringBuilder();
    int taken = 0;
    for (int c : line.codePoints().toArray()) {
      if (taken + width(c) > width && !current.isEmpty()) {
        lines.add(current.toString());
        current.setLength(0);
        taken = 0;
      }
      current.appendCodePoint(c);
      taken += width(c);
    }
    lines.add(current.toString());
    return lines;
  }
}
