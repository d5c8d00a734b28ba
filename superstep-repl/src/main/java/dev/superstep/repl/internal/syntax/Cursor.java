package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import java.util.List;

/// A place among tokens.
final class Cursor {
  private final Source source;
  private final List<Token> tokens;
  private final Diagnostics diagnostics;
  private int at;

  /// The end of an attempt; the finding is reported already.
  static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1;

    Lost() {
      super(null, null, false, false);
    }
  }

  Cursor(Source source, List<Token> tokens, Diagnostics diagnostics) {
    this.source = source;
    this.tokens = tokens;
    this.diagnostics = diagnostics;
  }

  Source source() {
    return source;
  }

  Diagnostics diagnostics() {
    return diagnostics;
  }

  Token peek() {
    return tokens.get(at);
  }

  Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  Token take() {
    var token = tokens.get(at);
    if (at < tokens.size() - 1) at++;
    return token;
  }

  boolean is(String word) {
    return peek().is(word);
  }

  boolean is(Kind kind) {
    return peek().kind() == kind;
  }

  boolean accept(String word) {
    if (!is(word)) return false;
    take();
    return true;
  }

  boolean accept(Kind kind) {
    if (!is(kind)) return false;
    take();
    return true;
  }

  /// Takes a word that must come.
  Token expect(String word, String where) {
    if (is(word)) return take();
    throw lost("expected `" + word + "` " + where + ", found " + peek().shown());
  }

  Token expect(Kind kind, String what) {
    if (is(kind)) return take();
    throw lost("expected " + what + ", found " + peek().shown());
  }

  /// Reports an error at the next token.
  Lost lost(String message) {
    return lost(RagshCode.SYNTAX.at(peek().span(), message));
  }

  Lost lost(Diagnostic diagnostic) {
    diagnostics.add(diagnostic);
    return new Lost();
  }

  /// The end of what was taken last.
  int lastEnd() {
    return at == 0 ? 0 : tokens.get(at - 1).end();
  }

  Span from(int start) {
    return new Span(start, Math.max(start, lastEnd()));
  }

  Span from(Expr first) {
    return from(first.span().start());
  }

  /// Goes behind the line, and behind the block that belongs to it.
  void skipLine() {
    while (!is(Kind.NEWLINE) && !is(Kind.END) && !is(Kind.INDENT) && !is(Kind.DEDENT)) take();
    accept(Kind.NEWLINE);
    if (!is(Kind.INDENT)) return;
    int depth = 0;
    do {
      if (is(Kind.INDENT)) depth++;
      if (is(Kind.DEDENT)) depth--;
      if (is(Kind.END)) return;
      take();
    } while (depth > 0);
  }
}
