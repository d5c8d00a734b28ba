package dev.superstep.prompt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Text with places for values. Immutable.
record TemplateText(List<Piece> pieces) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final String ESCAPED = "\\{{";

  TemplateText {
    pieces = List.copyOf(pieces);
  }

  /// A part of a text.
  sealed interface Piece {
    /// Text as it is.
    record Literal(String text) implements Piece {}

    /// The place of a value.
    record Place(String variable) implements Piece {}
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /// Reads text with `{{name}}` for values and `\{{` for braces.
  ///
  /// @param problems gets what is wrong
  static TemplateText read(String text, List<String> problems) {
    var pieces = new ArrayList<Piece>();
    var literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith(ESCAPED, at)) {
        literal.append(OPEN);
        at += ESCAPED.length();
      } else if (text.startsWith(OPEN, at)) {
        int end = text.indexOf(CLOSE, at);
        if (end < 0) {
          problems.add("`{{` has no `}}`. Write `\\{{` for braces that are text.");
          end = text.length() - CLOSE.length();
        } else {
          var name = text.substring(at + OPEN.length(), end).strip();
          if (!isName(name)) {
            problems.add(
                "`{{%s}}` holds no name. Write a name in snake case, or `\\{{` for text."
                    .formatted(name.length() > 40 ? name.substring(0, 40) + "..." : name));
          }
          flush(literal, pieces);
          pieces.add(new Piece.Place(name));
        }
        at = Math.max(at + OPEN.length(), end + CLOSE.length());
      } else {
        literal.append(text.charAt(at));
        at++;
      }
    }
    flush(literal, pieces);
    return new TemplateText(pieces);
  }

  private static void flush(StringBuilder literal, List<Piece> pieces) {
    if (literal.isEmpty()) return;
    pieces.add(new Piece.Literal(literal.toString()));
    literal.setLength(0);
  }

  /// The text with values, which are not read again.
  String fill(Map<String, String> values) {
    var text = new StringBuilder();
    for (var piece : pieces) {
      switch (piece) {
        case Piece.Literal(var literal) -> text.append(literal);
        case Piece.Place(var name) -> text.append(values.getOrDefault(name, ""));
      }
    }
    return text.toString();
  }
}
