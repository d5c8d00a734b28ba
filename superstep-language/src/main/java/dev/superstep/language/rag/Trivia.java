package dev.superstep.language.rag;

import java.util.ArrayList;
import java.util.List;

/// The comments between two parts of a source, and which of the two they belong to.
///
/// @param trailing the comment in the line of the first part; empty if there is none
/// @param own the comments in lines of their own, which belong to the second part
/// @param isApart whether an empty line is between the parts
record Trivia(String trailing, List<String> own, boolean isApart) {
  /// Reads what is between two parts. Commas and colons between them are passed over.
  ///
  /// @param from the token behind the first part
  /// @param to the first token of the second part
  static Trivia between(Tokens tokens, String text, int from, int to) {
    var trailing = "";
    var own = new ArrayList<String>();
    int lines = 0;
    boolean isApart = false;
    for (int token = from; token <= to; token++) {
      var gap = tokens.before(token);
      for (int i = gap.start(); i < gap.end(); i++) {
        char c = text.charAt(i);
        if (c == '\n' || (c == '\r' && (i + 1 == gap.end() || text.charAt(i + 1) != '\n'))) {
          lines++;
          if (lines > 1 && own.isEmpty()) isApart = true;
        } else if (c == '/') {
          int end = i;
          while (end < gap.end() && text.charAt(end) != '\n' && text.charAt(end) != '\r') end++;
          var comment = text.substring(i, end).stripTrailing();
          if (lines == 0 && trailing.isEmpty() && from > 0) trailing = comment;
          else own.add(comment);
          i = end - 1;
        }
      }
    }
    return new Trivia(trailing, own, isApart);
  }

  /// All comments inside a part, in order.
  static List<String> inside(Tokens tokens, String text, SyntaxNode part) {
    if (part.end() - part.first() < 2) return List.of();
    var found = between(tokens, text, part.first() + 1, part.end() - 1);
    var all = new ArrayList<String>();
    if (!found.trailing().isEmpty()) all.add(found.trailing());
    all.addAll(found.own());
    return all;
  }
}
