package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.List;

/// The text below a command that it reads as its input. The parser fills it in when it comes to the
/// end of the line; unchangeable afterwards.
public final class HereDocument {
  private final String delimiter;
  private final boolean isLiteral;
  private final boolean stripsTabs;
  private Word body;

  HereDocument(Word delimiter, boolean stripsTabs) {
    this.delimiter = unquoted(delimiter);
    this.isLiteral = delimiter.isQuoted();
    this.stripsTabs = stripsTabs;
    this.body = new Word("", List.of(), new Span(delimiter.span().end(), delimiter.span().end()));
  }

  // The shell expands nothing in a delimiter: `<<$X` ends at a line `$X`.
  private static String unquoted(Word delimiter) {
    return delimiter.literal().orElse(delimiter.raw());
  }

  /// The text, with the expansions that the shell makes in it.
  public Word body() {
    return body;
  }

  void fill(Word text) {
    body = text;
  }

  boolean isLiteral() {
    return isLiteral;
  }

  /// Returns whether a line ends the document.
  boolean endsAt(String line) {
    int from = 0;
    while (stripsTabs && from < line.length() && line.charAt(from) == '\t') from++;
    return line.length() - from == delimiter.length() && line.startsWith(delimiter, from);
  }
}
