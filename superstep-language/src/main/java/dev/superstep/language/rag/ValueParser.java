package dev.superstep.language.rag;

import dev.superstep.language.CodePoints;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Parses the values of items. A value that is missing or has another form is reported, and stands
/// in the tree as skipped.
final class ValueParser {
  private static final List<String> POLICIES = List.of("all", "any");

  private final Cursor cursor;

  ValueParser(Cursor cursor) {
    this.cursor = cursor;
  }

  /// Parses the value of an item other than a block.
  List<SyntaxNode> value(Item item, Scope scope) {
    return switch (item.shape()) {
      case FLAG -> List.of();
      case WORD, TEXT, COUNT, DURATION -> List.of(scalar(item, scope));
      case TEXTS -> List.of(strings());
      case NAME -> List.of(name("a name", after(item)));
      case NAMES -> List.of(names());
      case TARGETS -> List.of(targets(item));
      case OBJECT -> List.of(object());
      case PROMPT -> List.of(prompt(item, scope));
      case TYPE -> List.of(type());
      case FIELDS -> List.of(fields());
      case ROUTER -> List.of(router(item));
      case ROUTES -> List.of(routes());
      case SENDS -> List.of(sends());
      case FAN_OUT -> List.of(fanOut(item));
      case COMMAND -> List.of(command());
      case STEERING -> List.of(steering());
      case ON_FAILURE -> List.of(onFailure());
      case RATE -> List.of(rate(item));
      case SOURCES -> List.of(sources());
      case BLOCK -> throw new IllegalStateException("a block is no value");
    };
  }

  private static String after(Item item) {
    return " after `" + item.word() + "`";
  }

  /// Takes any single value; whether it is of the right type is checked later.
  private SyntaxNode scalar(Item item, Scope scope) {
    var wanted =
        switch (item.shape()) {
          case WORD -> "a word";
          case COUNT -> "a number";
          case DURATION -> "a duration";
          default -> "a string";
        };
    boolean isKeyword = cursor.is(TokenKind.IDENTIFIER) && isKeyword(item, scope);
    if (!isKeyword && isScalar()) return scalar();
    cursor.expected(wanted, after(item));
    return cursor.nothing();
  }

  /// A word of the language after a keyword begins the next item, unless it may be the value.
  private boolean isKeyword(Item item, Scope scope) {
    var word = cursor.text();
    return !item.words().contains(word)
        && !cursor.isWordAhead(1, word)
        && Item.of(scope, word).isPresent();
  }

  private boolean isScalar() {
    return switch (cursor.kind()) {
      case IDENTIFIER, STRING, TRIPLE, NUMBER, DURATION -> true;
      default -> false;
    };
  }

  private SyntaxNode scalar() {
    return cursor.leaf(
        switch (cursor.kind()) {
          case STRING, TRIPLE -> Production.STRING;
          case NUMBER -> Production.NUMBER;
          case DURATION -> Production.DURATION;
          default -> Production.WORD;
        });
  }

  SyntaxNode string(String after) {
    if (cursor.isString()) return cursor.leaf(Production.STRING);
    if (cursor.is(TokenKind.IDENTIFIER)) {
      var word = CodePoints.quote(cursor.text(), 40);
      cursor.report(
          RagCode.UNEXPECTED_TOKEN
              .at(
                  cursor.tokens().span(cursor.at()),
                  "expected a string" + after + ", found `" + word + "`")
              .label("expected a string")
              .help("write `\"" + word + "\"`"));
    } else cursor.expected("a string", after);
    return cursor.nothing();
  }

  SyntaxNode name(String wanted, String after) {
    if (cursor.isName(0)) return cursor.leaf(Production.NAME);
    cursor.expected(wanted, after);
    return cursor.nothing();
  }

  SyntaxNode target(String after) {
    if (cursor.isName(0)) return cursor.leaf(Production.TARGET);
    cursor.expected("a node or END", after);
    return cursor.nothing();
  }

  /// Parses what stands in brackets, with commas between.
  private SyntaxNode bracketed(Production production, String wanted, Supplier<SyntaxNode> each) {
    int first = cursor.at();
    var children = new ArrayList<SyntaxNode>();
    if (!cursor.is(TokenKind.LEFT_BRACKET)) {
      cursor.expected("`[`", "");
      return cursor.nothing();
    }
    if (!cursor.enter()) return cursor.node(production, first, List.of());
    while (!cursor.take(TokenKind.RIGHT_BRACKET)) {
      int before = cursor.at();
      if (!isBroken(production)) children.add(each.get());
      if (cursor.take(TokenKind.COMMA)) continue;
      if (cursor.at() > before && !isBroken(production)) continue;
      if (isEnd()) {
        cursor.expected("`]` or " + wanted, "");
        break;
      }
      if (cursor.at() == before) cursor.advance();
    }
    cursor.leave();
    return cursor.node(production, first, children);
  }

  /// Returns whether a list cannot go on here. Only values may be objects.
  private boolean isBroken(Production list) {
    return switch (cursor.kind()) {
      case LEFT_BRACE -> list != Production.LIST;
      case RIGHT_BRACE, END, INVALID -> true;
      default -> false;
    };
  }

  private boolean isEnd() {
    return cursor.is(TokenKind.RIGHT_BRACE) || cursor.is(TokenKind.END);
  }

  SyntaxNode strings() {
    return bracketed(Production.STRINGS, "a string", () -> string(""));
  }

  SyntaxNode names() {
    return bracketed(Production.NAMES, "a name", () -> name("a name", ""));
  }

  private SyntaxNode targets(Item item) {
    if (!cursor.is(TokenKind.LEFT_BRACKET)) {
      int first = cursor.at();
      var target = target(after(item));
      if (target.production() == Production.SKIPPED) return target;
      return cursor.node(Production.TARGETS, first, List.of(target));
    }
    return targets();
  }

  private SyntaxNode targets() {
    return bracketed(Production.TARGETS, "a node", () -> target(""));
  }

  /// Parses what stands in braces.
  private SyntaxNode braced(Production production, Supplier<SyntaxNode> each) {
    int first = cursor.at();
    var children = new ArrayList<SyntaxNode>();
    if (!cursor.is(TokenKind.LEFT_BRACE)) {
      cursor.expected("`{`", "");
      return cursor.nothing();
    }
    if (!cursor.enter()) return cursor.node(production, first, List.of());
    while (!cursor.take(TokenKind.RIGHT_BRACE)) {
      if (cursor.is(TokenKind.END)) {
        cursor.missingBrace(first);
        break;
      }
      int before = cursor.at();
      children.add(each.get());
      cursor.take(TokenKind.COMMA);
      if (cursor.at() > before) continue;
      if (cursor.kind().opens()) cursor.skipBalanced();
      else cursor.advance();
    }
    cursor.leave();
    return cursor.node(production, first, children);
  }

  SyntaxNode object() {
    return braced(Production.OBJECT, this::entry);
  }

  private SyntaxNode entry() {
    int first = cursor.at();
    var key = name("a key", "");
    if (key.production() == Production.SKIPPED) return key;
    cursor.take(TokenKind.COLON);
    return cursor.node(Production.ENTRY, first, List.of(key, literal()));
  }

  SyntaxNode literal() {
    if (isScalar()) return scalar();
    if (cursor.is(TokenKind.LEFT_BRACE)) return object();
    if (cursor.is(TokenKind.LEFT_BRACKET)) {
      return bracketed(Production.LIST, "a value", this::literal);
    }
    cursor.expected("a value", "");
    return cursor.nothing();
  }

  private SyntaxNode prompt(Item item, Scope scope) {
    int first = cursor.at();
    if (cursor.isWord("template")
        && (cursor.peek(1) == TokenKind.STRING || Item.of(scope, cursor.text()).isEmpty())) {
      cursor.advance();
      return cursor.node(Production.PROMPT, first, List.of(string(" after `template`")));
    }
    return string(after(item));
  }

  SyntaxNode type() {
    int first = cursor.at();
    if (!cursor.isWord("list") || cursor.peek(1) != TokenKind.LESS) {
      if (cursor.isName(0)) return cursor.leaf(Production.TYPE);
      cursor.expected("a type", "");
      return cursor.nothing();
    }
    cursor.advance();
    if (!cursor.enter()) return cursor.nothing();
    var inner = type();
    if (!cursor.take(TokenKind.GREATER)) cursor.expected("`>`", "");
    cursor.leave();
    return cursor.node(Production.TYPE, first, List.of(inner));
  }

  private SyntaxNode fields() {
    return braced(Production.FIELDS, this::field);
  }

  private SyntaxNode field() {
    int first = cursor.at();
    var name = name("the name of a field", "");
    if (name.production() == Production.SKIPPED) return name;
    cursor.take(TokenKind.COLON);
    var type = type();
    cursor.take(TokenKind.QUESTION);
    return cursor.node(Production.FIELD, first, List.of(name, type));
  }

  private SyntaxNode router(Item item) {
    int first = cursor.at();
    if (cursor.isWord("many")) cursor.advance();
    var name = string(after(item));
    if (name.production() == Production.SKIPPED) return name;
    return cursor.node(Production.ROUTER, first, List.of(name));
  }

  private SyntaxNode routes() {
    return braced(Production.ROUTES, this::route);
  }

  private SyntaxNode route() {
    int first = cursor.at();
    var label = name("a label", "");
    if (label.production() == Production.SKIPPED) return label;
    if (!cursor.take(TokenKind.ARROW)) {
      return cursor.node(Production.ROUTE, first, List.of(label));
    }
    return cursor.node(Production.ROUTE, first, List.of(label, target(" after `->`")));
  }

  private SyntaxNode sends() {
    return bracketed(Production.SENDS, "`send`", this::send);
  }

  private SyntaxNode send() {
    int first = cursor.at();
    if (!cursor.isWord("send")) {
      cursor.expected("`send`", "");
      if (!cursor.is(TokenKind.COMMA)) cursor.advance();
      return cursor.node(Production.SKIPPED, first, List.of());
    }
    cursor.advance();
    var children = new ArrayList<SyntaxNode>();
    children.add(target(" after `send`"));
    if (cursor.isString()) children.add(cursor.leaf(Production.STRING));
    return cursor.node(Production.SEND, first, children);
  }

  private SyntaxNode fanOut(Item item) {
    int first = cursor.at();
    var router = string(after(item));
    if (router.production() == Production.SKIPPED) return router;
    if (!cursor.take(TokenKind.ARROW)) cursor.expected("`->`", "");
    return cursor.node(Production.FAN_OUT, first, List.of(router, targets()));
  }

  private SyntaxNode command() {
    return braced(Production.COMMAND, this::commandPart);
  }

  private SyntaxNode commandPart() {
    int first = cursor.at();
    if (cursor.isWord("goto")) {
      cursor.advance();
      return cursor.node(Production.GOTO, first, List.of(target(" after `goto`")));
    }
    if (cursor.isWord("update")) {
      cursor.advance();
      return cursor.node(Production.UPDATE, first, List.of(object()));
    }
    cursor.expected("`goto` or `update`", "");
    return cursor.nothing();
  }

  private SyntaxNode steering() {
    return braced(Production.STEERING, this::steeringPart);
  }

  private SyntaxNode steeringPart() {
    int first = cursor.at();
    if (cursor.isWord("delivery")) {
      cursor.advance();
      return cursor.node(Production.DELIVERY, first, List.of(string(" after `delivery`")));
    }
    if (!cursor.is(TokenKind.IDENTIFIER)) {
      cursor.expected("an actor or `delivery`", "");
      return cursor.nothing();
    }
    var actor = cursor.leaf(Production.WORD);
    if (cursor.isWord("allow")) cursor.advance();
    else cursor.expected("`allow`", "");
    return cursor.node(Production.ACTOR, first, List.of(actor, strings()));
  }

  private SyntaxNode onFailure() {
    int first = cursor.at();
    var children = new ArrayList<SyntaxNode>();
    boolean isRoute = cursor.isWord("route");
    boolean isFallback = cursor.isWord("fallback");
    if (!isRoute && !isFallback && !cursor.isWord("skip") && !cursor.isWord("abort")) {
      cursor.expected("`abort`, `skip`, `route` or `fallback`", " after `on_failure`");
      return cursor.nothing();
    }
    children.add(cursor.leaf(Production.WORD));
    if (isRoute) children.add(target(" after `route`"));
    if (isFallback) children.add(object());
    if (cursor.isWord("record")) {
      cursor.advance();
      children.add(name("a channel", " after `record`"));
    }
    return cursor.node(Production.ON_FAILURE, first, children);
  }

  private SyntaxNode rate(Item item) {
    int first = cursor.at();
    if (!cursor.is(TokenKind.NUMBER)) {
      cursor.expected("a number", after(item));
      return cursor.nothing();
    }
    var times = cursor.leaf(Production.NUMBER);
    if (cursor.isWord("per")) cursor.advance();
    else cursor.expected("`per`", "");
    if (!cursor.is(TokenKind.DURATION) && !cursor.is(TokenKind.NUMBER)) {
      cursor.expected("a duration", " after `per`");
      return cursor.nothing();
    }
    return cursor.node(Production.RATE, first, List.of(times, scalar()));
  }

  private SyntaxNode sources() {
    int first = cursor.at();
    var children = new ArrayList<SyntaxNode>();
    if (!cursor.is(TokenKind.LEFT_BRACKET)) children.add(policy());
    children.add(names());
    return cursor.node(Production.SOURCES, first, children);
  }

  /// Parses how many sources a join waits for: `all`, `any`, or `2 of`.
  SyntaxNode policy() {
    int first = cursor.at();
    if (cursor.is(TokenKind.NUMBER)) {
      var count = cursor.leaf(Production.NUMBER);
      if (cursor.isWord("of")) cursor.advance();
      else cursor.expected("`of`", "");
      return cursor.node(Production.POLICY, first, List.of(count));
    }
    if (cursor.is(TokenKind.IDENTIFIER) && POLICIES.contains(cursor.text())) {
      return cursor.node(Production.POLICY, first, List.of(cursor.leaf(Production.WORD)));
    }
    cursor.expected("`[`, `all`, `any` or a number", "");
    return cursor.nothing();
  }
}
