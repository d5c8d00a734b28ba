package dev.superstep.cli.screen;

/// A column of a [Table]. Immutable.
///
/// @param heading in capitals, since colours may be off
/// @param fit what happens to its cells on a narrow terminal
/// @param least the fewest cells that it can be laid out in; below that, rows become blocks
/// @param isNumber whether it is aligned at the right
public record Column(String heading, Fit fit, int least, boolean isNumber) {
  /// The fate of text that does not fit.
  public enum Fit {
    /// It is never cut, since people type or copy it.
    WHOLE,
    /// It ends with an ellipsis.
    CUT,
    /// It goes on in the next line, at a word.
    WRAP
  }

  public Column {
    least = Math.max(least, heading.length());
  }

  /// A column whose cells are never cut.
  public static Column whole(String heading) {
    return new Column(heading, Fit.WHOLE, 0, false);
  }

  /// A column of numbers.
  public static Column number(String heading) {
    return new Column(heading, Fit.WHOLE, 0, true);
  }

  /// A column whose cells may be cut.
  public static Column cut(String heading, int least) {
    return new Column(heading, Fit.CUT, least, false);
  }

  /// A column of sentences, which may take several lines.
  public static Column wrap(String heading, int least) {
    return new Column(heading, Fit.WRAP, least, false);
  }

  /// Returns a copy that is never narrower: for rows that are printed before the widest is known.
  public Column atLeast(int cells) {
    return new Column(heading, fit, Math.max(least, cells), isNumber);
  }
}
