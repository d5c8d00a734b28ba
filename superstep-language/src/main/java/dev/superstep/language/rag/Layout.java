package dev.superstep.language.rag;

import java.util.List;
import java.util.stream.Collectors;

/// Writes parts of a tree in one line each. Strings stay as they are.
final class Layout {
  private final SyntaxTree tree;

  Layout(SyntaxTree tree) {
    this.tree = tree;
  }

  String inline(SyntaxNode node) {
    return switch (node.production()) {
      case STRINGS, NAMES, LIST, SENDS -> list(node);
      case TARGETS -> isBracketed(node) ? list(node) : inline(node.children().getFirst());
      case OBJECT, FIELDS, ROUTES, COMMAND, STEERING -> braces(node);
      case ENTRY -> first(node) + ": " + last(node);
      case FIELD -> first(node) + ": " + last(node) + (endsWith(node, "?") ? "?" : "");
      case TYPE -> node.children().isEmpty() ? tree.text(node) : "list<" + last(node) + ">";
      case ROUTE -> joined(node, " -> ");
      case FAN_OUT, EDGE -> joined(node, " -> ");
      case PROMPT, GOTO, UPDATE, SEND, DELIVERY, CHANNEL_TYPE, ALLOW, CHANNEL ->
          node.children().isEmpty() ? keyword(node) : keyword(node) + " " + joined(node, " ");
      case ITEM -> node.children().isEmpty() ? keyword(node) : keyword(node) + " " + last(node);
      case CHANNEL_CUT, ON_FAILURE -> words(node);
      case ROUTER -> (starts(node, "many") ? "many " : "") + last(node);
      case ACTOR -> first(node) + " allow " + last(node);
      case RATE -> first(node) + " per " + last(node);
      case SOURCES -> joined(node, " ");
      case POLICY -> first(node) + (isCount(node) ? " of" : "");
      case JOIN, TRIGGER -> arrow(node);
      default -> tree.text(node);
    };
  }

  private boolean isCount(SyntaxNode policy) {
    return policy.children().getFirst().production() == Production.NUMBER;
  }

  private String first(SyntaxNode node) {
    return inline(node.children().getFirst());
  }

  private String last(SyntaxNode node) {
    return inline(node.children().getLast());
  }

  private String joined(SyntaxNode node, String between) {
    return joined(node.children(), between);
  }

  private String joined(List<SyntaxNode> nodes, String between) {
    return nodes.stream().map(this::inline).collect(Collectors.joining(between));
  }

  private String list(SyntaxNode node) {
    return "[" + joined(node, ", ") + "]";
  }

  private String braces(SyntaxNode node) {
    return node.children().isEmpty() ? "{}" : "{ " + joined(node, "  ") + " }";
  }

  /// The last child follows an arrow; a policy may come before the names.
  private String arrow(SyntaxNode node) {
    var parts = node.children();
    var before = joined(parts.subList(0, parts.size() - 1), " ");
    return keyword(node) + " " + before + " -> " + last(node);
  }

  /// Words of the language and values in turn, such as `fallback { a: 1 } record b`.
  private String words(SyntaxNode node) {
    var text = new StringBuilder();
    for (var child : node.children()) {
      if (!text.isEmpty()) text.append(' ');
      if (child.production() == Production.NAME) text.append("record ");
      text.append(inline(child));
    }
    return text.toString();
  }

  String keyword(SyntaxNode node) {
    return tree.tokens().text(node.first());
  }

  private boolean starts(SyntaxNode node, String word) {
    return tree.tokens().is(node.first(), word);
  }

  private boolean endsWith(SyntaxNode node, String text) {
    return tree.tokens().is(node.end() - 1, text);
  }

  boolean isBracketed(SyntaxNode node) {
    return tree.tokens().kind(node.first()) == TokenKind.LEFT_BRACKET;
  }
}
