package dev.superstep.language.rag;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A place among the tokens, which only goes forward, and what a parser reports there.
final class Cursor {
  private static final int QUOTED_MAX = 30;

  private final Tokens tokens;
  private final Diagnostics diagnostics;
  private final int depthMax;
  private int at;
  private int depth;
  private final boolean isCut;
  private boolean isTooDeep;

  Cursor(Tokens tokens, SyntaxLimits limits, Diagnostics diagnostics) {
    this.tokens = tokens;
    this.diagnostics = diagnostics;
    this.depthMax = limits.depth();
    this.isCut = tokens.isCut();
  }

  int at() {
    return at;
  }

  Tokens tokens() {
    return tokens;
  }

  TokenKind kind() {
    return tokens.kind(at);
  }

  TokenKind peek(int ahead) {
    return tokens.kind(at + ahead);
  }

  boolean is(TokenKind kind) {
    return tokens.kind(at) == kind;
  }

  boolean isWord(String word) {
    return is(TokenKind.IDENTIFIER) && tokens.is(at, word);
  }

  boolean isWordAhead(int ahead, String word) {
    return peek(ahead) == TokenKind.IDENTIFIER && tokens.is(at + ahead, word);
  }

  boolean isString() {
    return is(TokenKind.STRING) || is(TokenKind.TRIPLE);
  }

  boolean isName(int ahead) {
    return peek(ahead) == TokenKind.IDENTIFIER || peek(ahead) == TokenKind.STRING;
  }

  String text() {
    return tokens.text(at);
  }

  void advance() {
    if (at < tokens.count() - 1) at++;
  }

  boolean take(TokenKind kind) {
    if (!is(kind)) return false;
    advance();
    return true;
  }

  /// Enters a brace or bracket. If it is too deep, it is skipped with all that is in it.
  boolean enter() {
    if (depth < depthMax) {
      depth++;
      advance();
      return true;
    }
    if (!isTooDeep) {
      isTooDeep = true;
      report(
          RagCode.TOO_DEEP
              .at(tokens.span(at), "blocks are nested deeper than " + depthMax + " levels")
              .help("move the inner part into a graph of its own"));
    }
    skipBalanced();
    return false;
  }

  void leave() {
    depth--;
  }

  /// Reports a block that is not closed, unless the reason is known: a string that was not closed
  /// may have its brace, and of a source that is too long the rest was not read.
  void missingBrace(int open) {
    if (isCut) return;
    report(
        RagCode.MISSING_BRACE
            .at(tokens.span(open), "a block is not closed")
            .label("it begins here")
            .help("add `}`"));
  }

  /// Skips an opening brace or bracket with all that is in it.
  void skipBalanced() {
    int open = 0;
    do {
      if (kind().opens()) open++;
      else if (kind().closes()) open--;
      else if (is(TokenKind.END)) return;
      advance();
    } while (open > 0);
  }

  void report(Diagnostic diagnostic) {
    diagnostics.add(diagnostic);
  }

  /// Reports that something else should stand here. What the lexer has reported is not told again.
  void expected(String wanted, String after) {
    if (is(TokenKind.INVALID) || (isCut && is(TokenKind.END))) return;
    report(
        RagCode.UNEXPECTED_TOKEN
            .at(tokens.span(at), "expected " + wanted + after + ", found " + found())
            .label("expected " + wanted));
  }

  String found() {
    return switch (kind()) {
      case IDENTIFIER, NUMBER, DURATION -> "`" + CodePoints.quote(text(), QUOTED_MAX) + "`";
      case STRING, TRIPLE -> "a string";
      default -> kind().noun();
    };
  }

  SyntaxNode leaf(Production production) {
    int first = at;
    advance();
    return new SyntaxNode(production, null, first, at, List.of());
  }

  SyntaxNode node(Production production, int first, List<SyntaxNode> children) {
    return node(production, null, first, children);
  }

  SyntaxNode node(
      Production production, @Nullable Item item, int first, List<SyntaxNode> children) {
    return new SyntaxNode(production, item, first, at, children);
  }

  /// A place where something is missing.
  SyntaxNode nothing() {
    return new SyntaxNode(Production.SKIPPED, null, at, at, List.of());
  }
}
