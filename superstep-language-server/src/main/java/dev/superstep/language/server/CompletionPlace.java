package dev.superstep.language.server;

import dev.superstep.language.Span;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.rag.SyntaxTree;
import dev.superstep.language.rag.TokenKind;
import dev.superstep.language.rag.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A place in a source at which somebody types, as the grammar sees it. A name nobody uses is put
/// there, and the source is parsed with it: so what may stand there is what the parser expects.
///
/// @param tree the source with that name
/// @param path the parts around the name, the outermost first
/// @param token the name
/// @param replaced what a completion replaces in the source
/// @param isQuoted whether the place is inside a string
record CompletionPlace(
    SyntaxTree tree, List<SyntaxNode> path, int token, Span replaced, boolean isQuoted) {
  private static final String MARKER = "superstep_completes_here";
  private static final int WORDS_MAX = 200;

  /// The place at an offset; empty in comments, and in texts for models and people.
  static Optional<CompletionPlace> at(OpenDocument document, int offset) {
    var text = document.source().text();
    var tokens = document.tree().tokens();
    int near = tokens.at(offset);
    int string = string(tokens, text, near, offset);
    if (string >= 0) return inString(text, tokens, string, offset);
    if (isComment(text, tokens.before(near), offset)) return Optional.empty();
    int start = offset;
    while (start > 0 && isNamePart(text.charAt(start - 1))) start--;
    int end = offset;
    while (end < text.length() && isNamePart(text.charAt(end))) end++;
    var changed = text.substring(0, start) + MARKER + text.substring(end);
    return Optional.of(of(changed, start, new Span(start, end), false));
  }

  /// The string that an offset is in, closed or not; -1 if it is in none.
  private static int string(Tokens tokens, String text, int near, int offset) {
    for (int token = Math.max(0, near - 1); token <= near; token++) {
      if (tokens.start(token) >= offset) continue;
      boolean isClosed =
          tokens.kind(token) == TokenKind.STRING || tokens.kind(token) == TokenKind.TRIPLE;
      if (isClosed && offset < tokens.end(token)) return token;
      boolean isOpen =
          tokens.kind(token) == TokenKind.INVALID && text.charAt(tokens.start(token)) == '"';
      if (isOpen && offset <= tokens.end(token)) return token;
    }
    return -1;
  }

  private static Optional<CompletionPlace> inString(
      String text, Tokens tokens, int string, int offset) {
    if (tokens.kind(string) == TokenKind.TRIPLE) return Optional.empty();
    int start = tokens.start(string);
    int end = tokens.end(string);
    boolean isClosed = tokens.kind(string) == TokenKind.STRING;
    if (end - start > WORDS_MAX) return Optional.empty();
    var changed = text.substring(0, start) + '"' + MARKER + '"' + text.substring(end);
    var replaced = new Span(start + 1, isClosed ? end - 1 : offset);
    return Optional.of(of(changed, start, replaced, true));
  }

  private static boolean isComment(String text, Span gap, int offset) {
    int start = Math.min(gap.start(), offset);
    var before = text.substring(start, Math.max(start, offset));
    int line = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
    return before.indexOf("//", line + 1) >= 0;
  }

  private static boolean isNamePart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  private static CompletionPlace of(String text, int at, Span replaced, boolean isQuoted) {
    var tree = OpenDocument.parse(text);
    int token = tree.tokens().at(at);
    return new CompletionPlace(tree, path(tree.root(), token), token, replaced, isQuoted);
  }

  /// The parts that hold a token, the outermost first.
  static List<SyntaxNode> path(SyntaxNode root, int token) {
    var path = new ArrayList<SyntaxNode>();
    var at = Optional.of(root);
    while (at.isPresent()) {
      path.add(at.get());
      at =
          at.get().children().stream()
              .filter(child -> child.first() <= token && token < child.end())
              .findFirst();
    }
    return path;
  }

  /// The part that holds the name, and is nothing else.
  SyntaxNode last() {
    return path.getLast();
  }

  /// The part around another one, counted from the innermost.
  Optional<SyntaxNode> outer(int levels) {
    int at = path.size() - 1 - levels;
    return at < 0 ? Optional.empty() : Optional.of(path.get(at));
  }

  /// The innermost part that a production matched.
  Optional<SyntaxNode> around(Production production) {
    return path.reversed().stream().filter(each -> each.production() == production).findFirst();
  }

  /// The innermost item.
  Optional<Item> item() {
    return path.reversed().stream().flatMap(each -> each.item().stream()).findFirst();
  }

  /// The block of items that the name is in, if it is right in one.
  Optional<Scope> block() {
    var block = last().production() == Production.SKIPPED ? outer(1) : Optional.of(last());
    if (block.isEmpty()) return Optional.empty();
    return switch (block.get().production()) {
      case GRAPH -> Optional.of(Scope.GRAPH);
      case NODE -> Optional.of(Scope.NODE);
      case BLOCK ->
          item()
              .map(item ->
                  switch (item) {
                    case DEFAULTS -> Scope.DEFAULTS;
                    case START -> Scope.START;
                    default -> Scope.NODE_DEFAULTS;
                  });
      default -> Optional.empty();
    };
  }

  /// The word before the name, if it is one.
  String wordBefore() {
    if (token == 0 || tree.tokens().kind(token - 1) != TokenKind.IDENTIFIER) return "";
    return tree.tokens().text(token - 1);
  }

  /// The name of the graph around.
  String graph() {
    return around(Production.GRAPH)
        .map(graph -> graph.children().getFirst())
        .filter(name -> name.production() == Production.NAME)
        .map(name -> tree.name(name, new dev.superstep.language.Diagnostics()))
        .orElse("");
  }
}
