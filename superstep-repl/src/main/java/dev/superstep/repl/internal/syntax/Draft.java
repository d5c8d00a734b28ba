package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A text that somebody is typing, cut into parts, as far as it goes. Immutable.
///
/// @param parts in their order, without blanks
/// @param isOpen whether a bracket, a long text or a line goes on behind the end
/// @param isHeader whether it ends with the `:` of a block
/// @param isBlock whether it begins with a statement that has blocks
public record Draft(List<Part> parts, boolean isOpen, boolean isHeader, boolean isBlock) {
  private static final Set<String> BLOCKS =
      Set.of("if", "while", "for", "def", "try", "with", "class", "async");

  public Draft {
    parts = List.copyOf(parts);
  }

  /// A part of a text.
  public record Part(int start, int end, Sort sort) {}

  /// The sorts of parts.
  public enum Sort {
    KEYWORD,
    NAME,
    NUMBER,
    STRING,
    COMMENT,
    OPERATOR
  }

  /// The words that are no names.
  public static Set<String> keywords() {
    return Lexer.KEYWORDS;
  }

  /// Cuts a text.
  public static Draft of(String text) {
    // A line that is joined to one that is not there yet.
    boolean joins = text.endsWith("\\");
    var source = Source.of("draft", joins ? text.substring(0, text.length() - 1) : text);
    var found = new Diagnostics();
    var lexer = new Lexer(source, new Span(0, source.length()), true, found);
    var tokens = lexer.tokens();
    boolean isBroken = found.count() > lexer.cutOff();
    boolean goesOn = lexer.cutOff() > 0 || joins;
    var parts = parts(source.text(), tokens);
    var first = tokens.getFirst();
    return new Draft(
        parts,
        goesOn && !isBroken,
        !isBroken && endsWithColon(tokens),
        first.is("@") || (first.kind() == Kind.KEYWORD && BLOCKS.contains(first.text())));
  }

  private static boolean endsWithColon(List<Token> tokens) {
    for (var token : tokens.reversed()) {
      switch (token.kind()) {
        case NEWLINE, INDENT, DEDENT, END -> {}
        case OPERATOR -> {
          return token.text().equals(":");
        }
        case NAME, KEYWORD, NUMBER, STRING -> {
          return false;
        }
      }
    }
    return false;
  }

  private static List<Part> parts(String text, List<Token> tokens) {
    var parts = new ArrayList<Part>();
    int end = 0;
    for (var token : tokens) {
      comment(text, end, token.start(), parts);
      var sort = sort(token.kind());
      if (sort != null && token.end() > token.start()) {
        parts.add(new Part(token.start(), token.end(), sort));
      } else if (sort == Sort.STRING) {
        // One without an end: the next token begins behind it.
        parts.add(new Part(token.start(), lineEnd(text, token.start()), sort));
      }
      end = Math.max(end, Math.max(token.end(), parts.isEmpty() ? 0 : parts.getLast().end()));
    }
    return parts;
  }

  private static void comment(String text, int from, int to, List<Part> into) {
    int at = from;
    while (at < to) {
      int mark = text.indexOf('#', at);
      if (mark < 0 || mark >= to) return;
      at = lineEnd(text, mark);
      into.add(new Part(mark, at, Sort.COMMENT));
    }
  }

  private static int lineEnd(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') at++;
    return at;
  }

  private static @org.jspecify.annotations.Nullable Sort sort(Kind kind) {
    return switch (kind) {
      case KEYWORD -> Sort.KEYWORD;
      case NAME -> Sort.NAME;
      case NUMBER -> Sort.NUMBER;
      case STRING -> Sort.STRING;
      case OPERATOR -> Sort.OPERATOR;
      case NEWLINE, INDENT, DEDENT, END -> null;
    };
  }
}
