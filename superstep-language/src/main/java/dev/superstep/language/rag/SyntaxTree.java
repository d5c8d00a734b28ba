package dev.superstep.language.rag;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;

/// A source as the grammar sees it: its tokens and a tree over them. There is one for any source;
/// what is wrong with it is in the diagnostics. Immutable.
public final class SyntaxTree {
  private final Source source;
  private final Tokens tokens;
  private final SyntaxNode root;

  private SyntaxTree(Source source, Tokens tokens, SyntaxNode root) {
    this.source = source;
    this.tokens = tokens;
    this.root = root;
  }

  /// Reads a source within bounds. Costs time and memory in proportion to its length.
  public static SyntaxTree parse(Source source, SyntaxLimits limits, Diagnostics diagnostics) {
    if (source.length() > limits.bytes() || source.bytes() > limits.bytes()) {
      diagnostics.add(
          RagCode.SOURCE_TOO_LONG
              .at(
                  Span.BEGINNING,
                  "the source has "
                      + source.bytes()
                      + " bytes, more than the limit of "
                      + limits.bytes())
              .help("divide it into several files"));
      return empty(source);
    }
    var tokens = new Lexer(source, limits, diagnostics).tokens();
    var root = new Parser(new Cursor(tokens, limits, diagnostics)).program();
    return new SyntaxTree(source, tokens, root);
  }

  private static SyntaxTree empty(Source source) {
    var tokens = new Tokens(source);
    tokens.add(TokenKind.END, 0, 0);
    var root = new SyntaxNode(Production.PROGRAM, null, 0, 0, java.util.List.of());
    return new SyntaxTree(source, tokens, root);
  }

  public Source source() {
    return source;
  }

  public Tokens tokens() {
    return tokens;
  }

  /// The whole program.
  public SyntaxNode root() {
    return root;
  }

  /// The part of the source that a node matched.
  public Span span(SyntaxNode node) {
    if (node.end() <= node.first()) {
      int at = tokens.start(node.first());
      return new Span(at, at);
    }
    return new Span(tokens.start(node.first()), tokens.end(node.end() - 1));
  }

  /// The text of a node.
  public String text(SyntaxNode node) {
    return source.text(span(node));
  }

  /// The value of a name, with or without quotes.
  public String name(SyntaxNode node, Diagnostics diagnostics) {
    return tokens.kind(node.first()) == TokenKind.STRING ? string(node, diagnostics) : text(node);
  }

  /// The value of a string, with its escapes read.
  public String string(SyntaxNode node, Diagnostics diagnostics) {
    return StringLiterals.read(source, span(node), diagnostics);
  }

  @Override
  public String toString() {
    return "SyntaxTree[" + source.name() + "]";
  }
}
