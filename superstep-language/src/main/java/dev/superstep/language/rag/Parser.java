package dev.superstep.language.rag;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Makes a tree of the tokens by recursive descent. What does not fit is reported and skipped up to
/// the next item or brace, so that one mistake hides no other. For one use.
final class Parser {
  /// The keywords of declarations, which may stand any number of times in a graph.
  static final List<String> DECLARATIONS = List.of("allow", "channel", "node", "join", "trigger");

  private static final List<String> CUTS =
      List.of("keep_last", "keep_within", "keep_top", "dedup_by", "snapshot_every");

  private final Cursor cursor;
  private final ValueParser values;

  Parser(Cursor cursor) {
    this.cursor = cursor;
    this.values = new ValueParser(cursor);
  }

  SyntaxNode program() {
    var graphs = new ArrayList<SyntaxNode>();
    while (!cursor.is(TokenKind.END)) {
      if (cursor.isWord("graph")) graphs.add(graph());
      else {
        cursor.expected("`graph`", "");
        graphs.add(skipToGraph());
      }
    }
    return cursor.node(Production.PROGRAM, 0, graphs);
  }

  private SyntaxNode skipToGraph() {
    int first = cursor.at();
    do {
      if (cursor.kind().opens()) cursor.skipBalanced();
      else cursor.advance();
    } while (!cursor.is(TokenKind.END) && !cursor.isWord("graph"));
    return cursor.node(Production.SKIPPED, first, List.of());
  }

  private SyntaxNode graph() {
    int first = cursor.at();
    cursor.advance();
    var children = new ArrayList<SyntaxNode>();
    children.add(values.name("the name of the graph", " after `graph`"));
    block(Scope.GRAPH, children);
    return cursor.node(Production.GRAPH, first, children);
  }

  /// Parses items in braces, and adds them.
  private void block(Scope scope, List<SyntaxNode> into) {
    int open = cursor.at();
    if (cursor.is(TokenKind.INVALID)) cursor.advance();
    if (!cursor.is(TokenKind.LEFT_BRACE)) {
      cursor.expected("`{`", "");
      return;
    }
    if (!cursor.enter()) return;
    while (!cursor.take(TokenKind.RIGHT_BRACE)) {
      if (cursor.is(TokenKind.END) || beginsOuter(scope)) {
        cursor.missingBrace(open);
        break;
      }
      int before = cursor.at();
      into.add(item(scope));
      if (cursor.take(TokenKind.COMMA) && !scope.isObject()) {
        needless("items need nothing between them");
      }
      if (cursor.at() == before) into.add(skip(scope));
    }
    cursor.leave();
  }

  /// Reports the token before this place, which other languages have there.
  private void needless(String message) {
    cursor.report(
        RagCode.UNEXPECTED_TOKEN
            .at(cursor.tokens().span(cursor.at() - 1), message)
            .help("remove it"));
  }

  /// Returns whether a line begins with a declaration that cannot stand in the block, so that its
  /// closing brace must have been forgotten.
  private boolean beginsOuter(Scope scope) {
    if (!cursor.is(TokenKind.IDENTIFIER) || !cursor.tokens().startsLine(cursor.at())) return false;
    if (cursor.isWord("graph")) {
      return cursor.isName(1) && cursor.peek(2) == TokenKind.LEFT_BRACE;
    }
    if (scope == Scope.GRAPH) return false;
    if (cursor.isWord("node")) return cursor.isName(1) && cursor.peek(2) == TokenKind.LEFT_BRACE;
    return (cursor.isWord("channel") && cursor.isName(1))
        || (cursor.isWord("join") && cursor.peek(1) == TokenKind.LEFT_BRACKET);
  }

  private SyntaxNode item(Scope scope) {
    if (scope == Scope.GRAPH && cursor.isName(0) && cursor.peek(1) == TokenKind.ARROW) {
      return edge();
    }
    if (!cursor.is(TokenKind.IDENTIFIER)) {
      if (scope == Scope.GRAPH) cursor.expected("an item of the graph or an edge", "");
      else cursor.expected("an item of " + scope.noun(), "");
      return skip(scope);
    }
    if (scope == Scope.GRAPH && DECLARATIONS.contains(cursor.text())) return declaration();
    var item = Item.of(scope, cursor.text());
    if (item.isEmpty()) return unknown(scope);
    return known(item.get(), scope);
  }

  private SyntaxNode known(Item item, Scope scope) {
    int first = cursor.at();
    cursor.advance();
    if (cursor.take(TokenKind.COLON) && !scope.isObject())
      needless("an item has no `:` behind its keyword");
    List<SyntaxNode> children = new ArrayList<>();
    if (item.shape() == Shape.BLOCK) {
      children.add(inner(item == Item.DEFAULTS ? Scope.DEFAULTS : Scope.NODE_DEFAULTS));
    } else if (item == Item.START && cursor.is(TokenKind.LEFT_BRACE)) {
      children.add(inner(Scope.START));
    } else if (isMissing(item, scope)) {
      cursor.expected("a node", " after `" + item.word() + "`");
      children.add(cursor.nothing());
    } else children.addAll(values.value(item, scope));
    return finished(cursor.node(Production.ITEM, item, first, children), scope);
  }

  /// A node that begins in the next line is no target.
  private boolean isMissing(Item item, Scope scope) {
    return item.shape() == Shape.TARGETS
        && scope == Scope.GRAPH
        && beginsLine()
        && cursor.isWord("node")
        && cursor.isName(1)
        && cursor.peek(2) == TokenKind.LEFT_BRACE;
  }

  private SyntaxNode inner(Scope scope) {
    int first = cursor.at();
    var children = new ArrayList<SyntaxNode>();
    block(scope, children);
    return cursor.node(Production.BLOCK, first, children);
  }

  /// Skips what follows an item whose value was wrong, so that it is not reported again.
  private SyntaxNode finished(SyntaxNode item, Scope scope) {
    var last = item.children().isEmpty() ? item : item.children().getLast();
    if (last.production() != Production.SKIPPED) return item;
    if (!beginsLine()) skip(scope);
    return item;
  }

  private SyntaxNode unknown(Scope scope) {
    var word = cursor.text();
    var span = cursor.tokens().span(cursor.at());
    var diagnostic =
        RagCode.UNKNOWN_ITEM.at(
            span, "`" + CodePoints.quote(word, 40) + "` is no item of " + scope.noun());
    cursor.report(diagnostic.help(help(scope, word)));
    int first = cursor.at();
    cursor.advance();
    if (!beginsLine()) skip(scope);
    return cursor.node(Production.SKIPPED, first, List.of());
  }

  private static String help(Scope scope, String word) {
    var near = Suggestion.didYouMean(word, keywords(scope));
    if (!near.isEmpty()) return near;
    for (var other : Scope.values()) {
      if (keywords(other).contains(word)) return "`" + word + "` is an item of " + other.noun();
    }
    return scope == Scope.GRAPH ? "an edge is written `a -> b`" : "";
  }

  /// The keywords with which the items of a block begin.
  static Set<String> keywords(Scope scope) {
    var words = new LinkedHashSet<>(Item.in(scope).keySet());
    if (scope == Scope.GRAPH) words.addAll(DECLARATIONS);
    return words;
  }

  /// Skips to the next item or the closing brace.
  private SyntaxNode skip(Scope scope) {
    int first = cursor.at();
    while (!cursor.is(TokenKind.END) && !cursor.is(TokenKind.RIGHT_BRACE)) {
      if (beginsItem(scope)) break;
      if (cursor.at() > first && (beginsOuter(scope) || beginsLine())) break;
      if (cursor.kind().opens()) cursor.skipBalanced();
      else cursor.advance();
    }
    return cursor.node(Production.SKIPPED, first, List.of());
  }

  /// A line that begins with a word most likely begins another item, if an unknown one.
  private boolean beginsLine() {
    return cursor.is(TokenKind.IDENTIFIER) && cursor.tokens().startsLine(cursor.at());
  }

  private boolean beginsItem(Scope scope) {
    if (scope == Scope.GRAPH && cursor.isName(0) && cursor.peek(1) == TokenKind.ARROW) return true;
    if (!cursor.is(TokenKind.IDENTIFIER)) return false;
    var word = cursor.text();
    return Item.of(scope, word).isPresent()
        || (scope == Scope.GRAPH && DECLARATIONS.contains(word));
  }

  private SyntaxNode declaration() {
    var node =
        switch (cursor.text()) {
          case "allow" -> allow();
          case "channel" -> channel();
          case "node" -> node();
          case "join" -> join();
          default -> trigger();
        };
    return finished(node, Scope.GRAPH);
  }

  private SyntaxNode allow() {
    int first = cursor.at();
    cursor.advance();
    if (!cursor.is(TokenKind.IDENTIFIER)) {
      cursor.expected("what is allowed", " after `allow`");
      return cursor.node(Production.ALLOW, first, List.of(cursor.nothing()));
    }
    var word = cursor.leaf(Production.WORD);
    return cursor.node(Production.ALLOW, first, List.of(word, values.strings()));
  }

  private SyntaxNode channel() {
    int first = cursor.at();
    cursor.advance();
    var children = new ArrayList<SyntaxNode>();
    var name = values.name("the name of the channel", " after `channel`");
    children.add(name);
    if (name.production() == Production.SKIPPED) {
      return cursor.node(Production.CHANNEL, first, children);
    }
    if (cursor.is(TokenKind.IDENTIFIER) && !beginsItem(Scope.GRAPH) && !isOf()) {
      children.add(cursor.leaf(Production.WORD));
    }
    while (isArgument()) {
      children.add(values.literal());
    }
    if (isOf()) {
      int of = cursor.at();
      cursor.advance();
      children.add(cursor.node(Production.CHANNEL_TYPE, of, List.of(values.type())));
    }
    while (cursor.is(TokenKind.IDENTIFIER)
        && CUTS.contains(cursor.text())
        && cursor.peek(1) != TokenKind.ARROW) {
      children.add(cut());
    }
    return cursor.node(Production.CHANNEL, first, children);
  }

  /// A string before an arrow is the source of an edge.
  private boolean isArgument() {
    return cursor.is(TokenKind.NUMBER) || (cursor.isString() && cursor.peek(1) != TokenKind.ARROW);
  }

  private boolean isOf() {
    return cursor.isWord("of") && cursor.peek(1) != TokenKind.ARROW;
  }

  private SyntaxNode cut() {
    int first = cursor.at();
    var children = new ArrayList<SyntaxNode>();
    children.add(cursor.leaf(Production.WORD));
    while (isArgument()) {
      children.add(values.literal());
    }
    return cursor.node(Production.CHANNEL_CUT, first, children);
  }

  private SyntaxNode node() {
    int first = cursor.at();
    cursor.advance();
    var children = new ArrayList<SyntaxNode>();
    children.add(values.name("the name of the node", " after `node`"));
    block(Scope.NODE, children);
    return cursor.node(Production.NODE, first, children);
  }

  private SyntaxNode edge() {
    int first = cursor.at();
    var from = cursor.leaf(Production.NAME);
    cursor.advance();
    return finished(
        cursor.node(Production.EDGE, first, List.of(from, values.target(" after `->`"))),
        Scope.GRAPH);
  }

  private SyntaxNode join() {
    int first = cursor.at();
    cursor.advance();
    var children = new ArrayList<SyntaxNode>();
    if (!cursor.is(TokenKind.LEFT_BRACKET)) children.add(values.policy());
    children.add(values.names());
    arrow(children);
    return cursor.node(Production.JOIN, first, children);
  }

  private SyntaxNode trigger() {
    int first = cursor.at();
    cursor.advance();
    var children = new ArrayList<SyntaxNode>();
    children.add(values.names());
    arrow(children);
    return cursor.node(Production.TRIGGER, first, children);
  }

  private void arrow(List<SyntaxNode> into) {
    if (into.getLast().production() == Production.SKIPPED) return;
    if (cursor.take(TokenKind.ARROW)) into.add(values.target(" after `->`"));
    else {
      cursor.expected("`->`", "");
      into.add(cursor.nothing());
    }
  }
}
