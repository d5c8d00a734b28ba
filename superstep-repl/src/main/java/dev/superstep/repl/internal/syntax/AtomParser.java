package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Str;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parses names, literals, displays and what follows them: calls, items, attributes.
final class AtomParser {
  private static final int TRAILERS_MAX = 100;

  private final Cursor in;
  private final ExprParser expressions;

  AtomParser(Cursor in, ExprParser expressions) {
    this.in = in;
    this.expressions = expressions;
  }

  Expr primary() {
    var value = atom();
    for (int i = 0; ; i++) {
      if (i > TRAILERS_MAX)
        throw in.lost("more than " + TRAILERS_MAX + " calls and items in a row");
      if (in.is("(")) value = call(value);
      else if (in.is("[")) value = subscript(value);
      else if (in.is(".")) value = attribute(value);
      else return value;
    }
  }

  private Expr attribute(Expr value) {
    in.take();
    var name = in.is(Kind.KEYWORD) ? in.take() : in.expect(Kind.NAME, "a name after `.`");
    return new Expr.Attribute(in.from(value), value, name.text(), name.span());
  }

  private Expr call(Expr function) {
    in.take();
    var arguments = new ArrayList<Expr.Argument>();
    while (!in.is(")")) {
      arguments.add(argument());
      if (!in.accept(",")) break;
    }
    in.expect(")", "after the arguments");
    return new Expr.Call(in.from(function), function, arguments);
  }

  private Expr.Argument argument() {
    int start = in.peek().start();
    if (in.accept("**")) return argument(start, "", 2, expressions.expression());
    if (in.accept("*")) return argument(start, "", 1, expressions.expression());
    if (in.is(Kind.NAME) && in.peek(1).is("=")) {
      var name = in.take();
      in.take();
      return argument(start, name.text(), 0, expressions.expression());
    }
    var value = expressions.walrus();
    if (in.is("for") || in.is("async")) {
      var clauses = expressions.clauses();
      value = new Expr.Comprehension(in.from(value), Expr.Made.GENERATOR, value, null, clauses);
    }
    return argument(start, "", 0, value);
  }

  private Expr.Argument argument(int start, String name, int stars, Expr value) {
    return new Expr.Argument(in.from(start), name, stars, value);
  }

  private Expr subscript(Expr value) {
    in.take();
    var first = index();
    Expr key = first;
    if (in.is(",")) {
      var items = new ArrayList<Expr>();
      items.add(first);
      while (in.accept(",")) {
        if (in.is("]")) break;
        items.add(index());
      }
      key = new Expr.Tuple(in.from(first), items);
    }
    in.expect("]", "after an index");
    return new Expr.Subscript(in.from(value), value, key);
  }

  private Expr index() {
    int start = in.peek().start();
    Expr from = in.is(":") ? null : expressions.walrus();
    if (from != null && !in.is(":")) return from;
    in.expect(":", "in a slice");
    Expr to = isSliceEnd() ? null : expressions.expression();
    Expr step = null;
    if (in.accept(":") && !isSliceEnd()) step = expressions.expression();
    return new Expr.Slice(in.from(start), from, to, step);
  }

  private boolean isSliceEnd() {
    return in.is(":") || in.is("]") || in.is(",");
  }

  private Expr atom() {
    var token = in.peek();
    switch (token.kind()) {
      case NAME -> {
        in.take();
        return new Expr.Name(token.span(), token.text());
      }
      case NUMBER -> {
        in.take();
        var value = Literals.number(token, in.diagnostics());
        return new Expr.Constant(token.span(), value == null ? None.NONE : value);
      }
      case STRING -> {
        return strings();
      }
      case KEYWORD -> {
        var constant = ExprParser.constants(token.span()).get(token.text());
        if (constant != null) {
          in.take();
          return constant;
        }
        if (token.is("await") || token.is("yield")) throw in.lost(Unsupported.keyword(token));
      }
      case OPERATOR -> {
        var found = bracket(token);
        if (found != null) return found;
      }
      case NEWLINE, INDENT, DEDENT, END -> {}
    }
    throw in.lost("expected an expression, found " + token.shown());
  }

  private @Nullable Expr bracket(Token token) {
    return switch (token.text()) {
      case "(" -> group();
      case "[" -> list();
      case "{" -> braces();
      default -> null;
    };
  }

  private Expr group() {
    int start = in.take().start();
    if (in.is("yield")) throw in.lost(Unsupported.keyword(in.peek()));
    if (in.accept(")")) return new Expr.Tuple(in.from(start), List.of());
    var first = expressions.starred();
    if (in.is("for") || in.is("async")) {
      var clauses = expressions.clauses();
      in.expect(")", "after a comprehension");
      return new Expr.Comprehension(in.from(start), Expr.Made.GENERATOR, first, null, clauses);
    }
    if (!in.is(",")) {
      in.expect(")", "to close the bracket");
      return first;
    }
    var items = items(first, ")");
    return new Expr.Tuple(in.from(start), items);
  }

  private List<Expr> items(Expr first, String close) {
    var items = new ArrayList<Expr>();
    items.add(first);
    while (in.accept(",")) {
      if (in.is(close)) break;
      items.add(expressions.starred());
    }
    in.expect(close, "to close the bracket");
    return items;
  }

  private Expr list() {
    int start = in.take().start();
    if (in.accept("]")) return new Expr.Items(in.from(start), List.of());
    var first = expressions.starred();
    if (in.is("for") || in.is("async")) {
      var clauses = expressions.clauses();
      in.expect("]", "after a comprehension");
      return new Expr.Comprehension(in.from(start), Expr.Made.LIST, first, null, clauses);
    }
    var items = items(first, "]");
    return new Expr.Items(in.from(start), items);
  }

  private Expr braces() {
    int start = in.take().start();
    if (in.accept("}")) return new Expr.Entries(in.from(start), List.of());
    if (in.is("**")) return map(start, entry());
    var first = expressions.starred();
    if (in.is(":")) {
      in.take();
      return map(start, new Expr.Entry(first, expressions.expression()));
    }
    if (in.is("for") || in.is("async")) {
      var clauses = expressions.clauses();
      in.expect("}", "after a comprehension");
      return new Expr.Comprehension(in.from(start), Expr.Made.SET, first, null, clauses);
    }
    var items = items(first, "}");
    return new Expr.SetItems(in.from(start), items);
  }

  private Expr map(int start, Expr.Entry first) {
    if (in.is("for") || in.is("async")) {
      var clauses = expressions.clauses();
      in.expect("}", "after a comprehension");
      var key = first.key();
      if (key == null) throw in.lost("`**` cannot stand in a comprehension");
      return new Expr.Comprehension(in.from(start), Expr.Made.MAP, key, first.value(), clauses);
    }
    var entries = new ArrayList<Expr.Entry>();
    entries.add(first);
    while (in.accept(",")) {
      if (in.is("}")) break;
      entries.add(entry());
    }
    in.expect("}", "to close the map");
    return new Expr.Entries(in.from(start), entries);
  }

  private Expr.Entry entry() {
    if (in.accept("**")) return new Expr.Entry(null, expressions.binary(0));
    var key = expressions.expression();
    in.expect(":", "after a key");
    return new Expr.Entry(key, expressions.expression());
  }

  private Expr strings() {
    var parts = new ArrayList<Expr.Part>();
    int start = in.peek().start();
    boolean isFormat = false;
    while (in.is(Kind.STRING)) {
      var token = in.take();
      isFormat |= new StringParser(in, token, expressions.depth()).parse(parts);
    }
    var span = in.from(start);
    if (isFormat) return new Expr.Joined(span, parts);
    var text = new StringBuilder();
    for (var part : parts) if (part instanceof Expr.Words words) text.append(words.text());
    return new Expr.Constant(span, new Str(text.toString()));
  }

  static Expr nothing(Span span) {
    return new Expr.Constant(span, None.NONE);
  }
}
