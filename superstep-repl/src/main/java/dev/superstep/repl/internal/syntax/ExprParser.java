package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.None;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Parses expressions, from the weakest operator to the strongest.
final class ExprParser {
  private static final int DEPTH_MAX = 60;
  private static final List<List<String>> LEVELS =
      List.of(
          List.of("|"),
          List.of("^"),
          List.of("&"),
          List.of("<<", ">>"),
          List.of("+", "-"),
          List.of("*", "/", "//", "%", "@"));

  private final Cursor in;
  private final AtomParser atoms;
  private int depth;

  ExprParser(Cursor in, int depth) {
    this.in = in;
    this.depth = depth;
    this.atoms = new AtomParser(in, this);
  }

  int depth() {
    return depth;
  }

  /// An expression, or several with commas between, which make a tuple.
  Expr several() {
    var first = starred();
    if (!in.is(",")) return first;
    var items = new ArrayList<Expr>();
    items.add(first);
    while (in.accept(",")) {
      if (!startsExpression()) break;
      items.add(starred());
    }
    return new Expr.Tuple(in.from(first), items);
  }

  boolean startsExpression() {
    var token = in.peek();
    return switch (token.kind()) {
      case NAME, NUMBER, STRING -> true;
      case KEYWORD ->
          switch (token.text()) {
            case "None", "True", "False", "not", "lambda", "await", "yield" -> true;
            default -> false;
          };
      case OPERATOR -> List.of("(", "[", "{", "-", "+", "~", "*", "...").contains(token.text());
      case NEWLINE, INDENT, DEDENT, END -> false;
    };
  }

  Expr starred() {
    if (!in.is("*")) return walrus();
    int start = in.take().start();
    var value = binary(0);
    return new Expr.Starred(in.from(start), value);
  }

  Expr walrus() {
    if (in.is(Kind.NAME) && in.peek(1).is(":=")) {
      var token = in.take();
      in.take();
      var value = expression();
      return new Expr.Walrus(
          in.from(token.start()), new Expr.Name(token.span(), token.text()), value);
    }
    return expression();
  }

  Expr expression() {
    if (++depth > DEPTH_MAX) {
      throw in.lost(
          RagshCode.TOO_DEEP
              .at(in.peek().span(), "the expression is nested deeper than " + DEPTH_MAX)
              .help("name its inner parts"));
    }
    try {
      return conditional();
    } finally {
      depth--;
    }
  }

  private Expr conditional() {
    if (in.is("lambda")) return lambda();
    if (in.is("yield") || in.is("await")) throw in.lost(Unsupported.keyword(in.peek()));
    var then = or();
    if (!in.is("if")) return then;
    in.take();
    var test = or();
    in.expect("else", "in a conditional expression");
    var otherwise = expression();
    return new Expr.Conditional(in.from(then), test, then, otherwise);
  }

  private Expr lambda() {
    int start = in.take().start();
    var parameters = new ParameterParser(in, this).parameters(":", false);
    in.expect(":", "after the parameters of a lambda");
    var body = expression();
    return new Expr.Lambda(in.from(start), parameters, body);
  }

  Expr or() {
    return logic("or", false);
  }

  private Expr logic(String word, boolean isAnd) {
    var first = isAnd ? not() : logic("and", true);
    if (!in.is(word)) return first;
    var all = new ArrayList<Expr>();
    all.add(first);
    while (in.accept(word)) all.add(isAnd ? not() : logic("and", true));
    return new Expr.Logic(in.from(first), isAnd, all);
  }

  private Expr not() {
    int start = in.peek().start();
    int times = 0;
    while (in.accept("not")) times++;
    var value = comparison();
    for (int i = 0; i < times; i++) {
      value = new Expr.Not(in.from(start), value);
      if (i > DEPTH_MAX) throw in.lost("too many `not`");
    }
    return value;
  }

  private Expr comparison() {
    var first = binary(0);
    var ops = new ArrayList<String>();
    var rest = new ArrayList<Expr>();
    for (var op = comparator(); !op.isEmpty(); op = comparator()) {
      ops.add(op);
      rest.add(binary(0));
    }
    return ops.isEmpty() ? first : new Expr.Compare(in.from(first), first, ops, rest);
  }

  private String comparator() {
    for (var op : List.of("==", "!=", "<", "<=", ">", ">=", "in")) {
      if (in.accept(op)) return op;
    }
    if (in.is("not") && in.peek(1).is("in")) {
      in.take();
      in.take();
      return "not in";
    }
    if (in.accept("is")) return in.accept("not") ? "is not" : "is";
    return "";
  }

  Expr binary(int level) {
    if (level == LEVELS.size()) return unary();
    var left = binary(level + 1);
    while (in.is(Kind.OPERATOR) && LEVELS.get(level).contains(in.peek().text())) {
      var op = in.take();
      if (op.text().equals("@")) {
        throw in.lost(RagshCode.UNSUPPORTED.at(op.span(), "there are no matrices to multiply"));
      }
      var right = binary(level + 1);
      left = new Expr.Binary(in.from(left), op.text(), left, right);
    }
    return left;
  }

  private Expr unary() {
    if (!in.is("-") && !in.is("+") && !in.is("~")) return power();
    var op = in.take();
    if (++depth > DEPTH_MAX) throw in.lost("too many signs");
    var value = unary();
    depth--;
    return new Expr.Unary(in.from(op.start()), op.text(), value);
  }

  private Expr power() {
    var base = atoms.primary();
    if (!in.accept("**")) return base;
    if (++depth > DEPTH_MAX) throw in.lost("too many powers");
    var exponent = unary();
    depth--;
    return new Expr.Binary(in.from(base), "**", base, exponent);
  }

  /// The `for` and `if` of a comprehension.
  List<Expr.Clause> clauses() {
    var all = new ArrayList<Expr.Clause>();
    while (in.is("for") || in.is("async")) {
      if (in.is("async")) throw in.lost(Unsupported.keyword(in.peek()));
      in.take();
      var target = target();
      in.expect("in", "in a comprehension");
      var source = or();
      var tests = new ArrayList<Expr>();
      while (in.accept("if")) tests.add(test());
      all.add(new Expr.Clause(target, source, tests));
    }
    return all;
  }

  // A condition of a comprehension; `a if b else c` needs brackets there.
  private Expr test() {
    if (in.is(Kind.NAME) && in.peek(1).is(":=")) return walrus();
    return in.is("lambda") ? expression() : or();
  }

  /// Targets of a `for`, up to its `in`.
  Expr target() {
    var first = targetItem();
    if (!in.is(",")) return first;
    var items = new ArrayList<Expr>();
    items.add(first);
    while (in.accept(",")) {
      if (in.is("in")) break;
      items.add(targetItem());
    }
    return new Expr.Tuple(in.from(first), items);
  }

  private Expr targetItem() {
    int start = in.peek().start();
    if (in.accept("*")) {
      var value = atoms.primary();
      return new Expr.Starred(in.from(start), value);
    }
    return atoms.primary();
  }

  static Map<String, Expr> constants(Span span) {
    return Map.of(
        "None", new Expr.Constant(span, None.NONE),
        "True", new Expr.Constant(span, Bool.TRUE),
        "False", new Expr.Constant(span, Bool.FALSE));
  }
}
