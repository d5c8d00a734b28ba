package dev.superstep.cli.screen;

import dev.superstep.cli.host.ForeignText;
import java.util.ArrayList;
import java.util.List;

/// A line that fits on a screen. Immutable.
///
/// @param text without anything on which a terminal acts
public record ScreenLine(String text, Style style) {
  /// An empty line.
  public static final ScreenLine EMPTY = new ScreenLine("", Style.PLAIN);

  /// Wraps text to a width, at blanks where there are some. Nothing is cut off. The text is ours,
  /// perhaps with names by others in it: what a terminal would act on is spelled out.
  public static List<ScreenLine> wrapped(String text, Style style, int width) {
    var lines = new ArrayList<ScreenLine>();
    for (var line : ForeignText.spelledOut(text).split("\n", -1)) {
      for (var part : CellText.wrapped(line, width)) lines.add(new ScreenLine(part, style));
    }
    return lines;
  }

  /// Wraps text by others exactly where a line is full, behind a mark on each line. Invisible
  /// characters and lookalikes are spelled out.
  ///
  /// @param mark stands before each line, so that none passes for one of ours
  public static List<ScreenLine> foreign(String text, String mark, Style style, int width) {
    var lines = typed(text, mark, style, width);
    if (!ForeignText.spelledOut(text).equals(text)) {
      lines.addAll(wrapped(ForeignText.MARKED, Style.WARNING, width));
    }
    return lines;
  }

  /// Like [#foreign], but does not say that something is spelled out.
  static List<ScreenLine> typed(String text, String mark, Style style, int width) {
    var lines = new ArrayList<ScreenLine>();
    for (var line : ForeignText.spelledOut(text).split("\n", -1)) {
      for (var part : CellText.chopped(line, width - mark.length())) {
        lines.add(new ScreenLine(mark + part, style));
      }
    }
    return lines;
  }

  /// The cells that a text takes.
  static int width(String text) {
    return CellText.width(text);
  }

  static int width(int codePoint) {
    return CellText.width(codePoint);
  }
}
