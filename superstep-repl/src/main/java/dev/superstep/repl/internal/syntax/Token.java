package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;

/// A piece of a source.
///
/// @param text as written; for what has no text, such as an indent, a name for messages
record Token(Kind kind, String text, int start, int end) {
  enum Kind {
    NAME,
    KEYWORD,
    NUMBER,
    STRING,
    OPERATOR,
    NEWLINE,
    INDENT,
    DEDENT,
    END
  }

  boolean is(String word) {
    return (kind == Kind.OPERATOR || kind == Kind.KEYWORD) && text.equals(word);
  }

  Span span() {
    return new Span(start, end);
  }

  /// The token as messages show it.
  String shown() {
    return switch (kind) {
      case NEWLINE -> "the end of the line";
      case INDENT -> "an indent";
      case DEDENT -> "the end of the block";
      case END -> "the end of the cell";
      case STRING -> "a text";
      case NAME, KEYWORD, NUMBER, OPERATOR -> "`" + text + "`";
    };
  }
}
