package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the statements of a cell. After an error it goes on behind the line, so that a cell with
/// several errors shows them all.
public final class Parser {
  private static final Set<String> CHANGES =
      Set.of("+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=");

  private final Cursor in;
  private final ExprParser expressions;
  private final Set<String> presets;
  private int loops;
  private int functions;

  private Parser(Cursor in, Set<String> presets) {
    this.in = in;
    this.expressions = new ExprParser(in, 0);
    this.presets = presets;
  }

  /// The statements of a cell; what could not be read is left out and reported.
  ///
  /// @param presets the modules that are there without an import
  public static List<Stmt> parse(Source source, Set<String> presets, Diagnostics diagnostics) {
    var whole = new Span(0, source.length());
    var tokens = new Lexer(source, whole, true, diagnostics).tokens();
    var parser = new Parser(new Cursor(source, tokens, diagnostics), presets);
    var all = new ArrayList<Stmt>();
    while (!parser.in.is(Kind.END)) parser.statement(all);
    return all;
  }

  private void statement(List<Stmt> into) {
    try {
      if (in.is(Kind.INDENT)) {
        throw in.lost("this line is indented, but no block begins here");
      }
      if (in.accept(Kind.DEDENT) || in.accept(Kind.NEWLINE)) return;
      if (in.is(Kind.KEYWORD) && compound(into)) return;
      if (in.is("@")) {
        throw in.lost(
            RagshCode.UNSUPPORTED
                .at(in.peek().span(), "decorators are not part of this language")
                .help("call the function with the other one: f = decorate(f)"));
      }
      simpleLine(into);
    } catch (Cursor.Lost _) {
      in.skipLine();
    }
  }

  private boolean compound(List<Stmt> into) {
    var token = in.peek();
    switch (token.text()) {
      case "if" -> into.add(branches());
      case "while" -> into.add(loop());
      case "for" -> into.add(each());
      case "def" -> into.add(function());
      case "try" -> into.add(attempt());
      case "class", "with", "async" -> throw in.lost(Unsupported.keyword(token));
      case "elif", "else", "except", "finally" ->
          throw in.lost("`" + token.text() + "` without what it belongs to");
      default -> {
        return false;
      }
    }
    return true;
  }

  // --- blocks ---

  private List<Stmt> block(String after) {
    in.expect(":", after);
    var body = new ArrayList<Stmt>();
    if (!in.is(Kind.NEWLINE)) {
      simpleLine(body);
      return body;
    }
    in.take();
    if (!in.is(Kind.INDENT)) {
      throw in.lost(
          RagshCode.SYNTAX
              .at(in.peek().span(), "expected an indented block " + after)
              .help("write `pass` if nothing is to be done"));
    }
    in.take();
    while (!in.is(Kind.DEDENT) && !in.is(Kind.END)) statement(body);
    in.accept(Kind.DEDENT);
    return body;
  }

  private List<Stmt> otherwise() {
    if (!in.is("else")) return List.of();
    in.take();
    return block("after `else`");
  }

  private Stmt branches() {
    int start = in.take().start();
    var test = expressions.walrus();
    var span = in.from(start);
    var branches = new ArrayList<Stmt.Branch>();
    branches.add(new Stmt.Branch(test, block("after the condition of `if`")));
    while (in.accept("elif")) {
      var other = expressions.walrus();
      branches.add(new Stmt.Branch(other, block("after the condition of `elif`")));
    }
    return new Stmt.If(span, branches, otherwise());
  }

  private Stmt loop() {
    int start = in.take().start();
    var test = expressions.walrus();
    var span = in.from(start);
    loops++;
    var body = block("after the condition of `while`");
    loops--;
    return new Stmt.While(span, test, body, otherwise());
  }

  private Stmt each() {
    int start = in.take().start();
    var target = expressions.target();
    Targets.check(target, in.diagnostics());
    in.expect("in", "after the variables of `for`");
    var source = expressions.several();
    var span = in.from(start);
    loops++;
    var body = block("after what `for` goes through");
    loops--;
    return new Stmt.For(span, target, source, body, otherwise());
  }

  private Stmt function() {
    int start = in.take().start();
    var name = in.expect(Kind.NAME, "the name of a function");
    in.expect("(", "after the name of a function");
    var parameters = new ParameterParser(in, expressions).parameters(")", true);
    in.expect(")", "after the parameters");
    if (in.accept("->")) expressions.expression();
    var span = in.from(start);
    int outer = loops;
    loops = 0;
    functions++;
    try {
      var body = block("after the head of a function");
      return new Stmt.Def(span, new Expr.Name(name.span(), name.text()), parameters, body);
    } finally {
      functions--;
      loops = outer;
    }
  }

  private Stmt attempt() {
    var span = in.take().span();
    var body = block("after `try`");
    var handlers = new ArrayList<Stmt.Handler>();
    while (in.is("except")) handlers.add(handler());
    var otherwise = handlers.isEmpty() ? List.<Stmt>of() : otherwise();
    List<Stmt> last = in.accept("finally") ? block("after `finally`") : List.of();
    if (handlers.isEmpty() && last.isEmpty()) {
      in.diagnostics()
          .add(
              RagshCode.SYNTAX
                  .at(span, "`try` needs an `except` or a `finally`")
                  .help("add `except Exception as e:`"));
    }
    return new Stmt.Try(span, body, handlers, otherwise, last);
  }

  private Stmt.Handler handler() {
    int start = in.take().start();
    Expr type = in.is(":") ? null : expressions.several();
    Expr.Name name = null;
    if (type != null && in.accept("as")) {
      var token = in.expect(Kind.NAME, "a name after `as`");
      name = new Expr.Name(token.span(), token.text());
    }
    var span = in.from(start);
    return new Stmt.Handler(span, type, name, block("after `except`"));
  }

  // --- lines ---

  private void simpleLine(List<Stmt> into) {
    do {
      into.add(simple());
    } while (in.accept(";") && !in.is(Kind.NEWLINE));
    if (in.accept(Kind.NEWLINE) || in.is(Kind.END)) return;
    var found =
        RagshCode.SYNTAX.at(
            in.peek().span(), "expected the end of the line, found " + in.peek().shown());
    var previous = in.peek(-1);
    throw in.lost(
        previous.kind() == Kind.NAME && in.is(Kind.STRING) && previous.text().equals("print")
            ? found.help("`print(...)` takes its values in brackets")
            : found);
  }

  private Stmt simple() {
    var token = in.peek();
    if (token.kind() == Kind.KEYWORD) {
      var found = keyword(token);
      if (found != null) return found;
    }
    return assignment();
  }

  private @Nullable Stmt keyword(Token token) {
    return switch (token.text()) {
      case "pass" -> new Stmt.Pass(in.take().span());
      case "break" -> leaves(new Stmt.Break(in.take().span()), "break");
      case "continue" -> leaves(new Stmt.Continue(in.take().span()), "continue");
      case "return" -> result();
      case "raise" -> raise();
      case "assert" -> claim();
      case "del" -> delete();
      case "nonlocal" -> nonlocal();
      case "import", "from" -> imports();
      case "global", "class", "with", "async", "yield", "await" ->
          throw in.lost(Unsupported.keyword(token));
      default -> null;
    };
  }

  private Stmt leaves(Stmt stmt, String word) {
    if (loops == 0) {
      in.diagnostics().add(RagshCode.SYNTAX.at(stmt.span(), "`" + word + "` outside of a loop"));
    }
    return stmt;
  }

  private boolean isLineOver() {
    return in.is(Kind.NEWLINE) || in.is(";") || in.is(Kind.END);
  }

  private Stmt result() {
    var token = in.take();
    Expr value = isLineOver() ? null : expressions.several();
    if (functions == 0) {
      in.diagnostics()
          .add(
              RagshCode.SYNTAX
                  .at(token.span(), "`return` outside of a function")
                  .help("the value of the last line is shown; `answer(value)` hands in an answer"));
    }
    return new Stmt.Return(in.from(token.start()), value);
  }

  private Stmt raise() {
    int start = in.take().start();
    Expr error = isLineOver() ? null : expressions.expression();
    Expr cause = error != null && in.accept("from") ? expressions.expression() : null;
    return new Stmt.Throw(in.from(start), error, cause);
  }

  private Stmt claim() {
    int start = in.take().start();
    var test = expressions.expression();
    Expr message = in.accept(",") ? expressions.expression() : null;
    return new Stmt.Assert(in.from(start), test, message);
  }

  private Stmt delete() {
    int start = in.take().start();
    var first = expressions.several();
    var targets = first instanceof Expr.Tuple tuple ? tuple.items() : List.of(first);
    for (var target : targets) Targets.checkDelete(target, in.diagnostics());
    return new Stmt.Delete(in.from(start), targets);
  }

  private Stmt nonlocal() {
    int start = in.take().start();
    var names = new ArrayList<Expr.Name>();
    do {
      var token = in.expect(Kind.NAME, "a name after `nonlocal`");
      names.add(new Expr.Name(token.span(), token.text()));
    } while (in.accept(","));
    return new Stmt.Nonlocal(in.from(start), names);
  }

  private Stmt imports() {
    var token = in.take();
    var from = in.expect(Kind.NAME, "the name of a module");
    boolean isPlain = token.is("import") && isLineOver();
    if (isPlain && presets.contains(from.text())) {
      in.diagnostics()
          .add(
              RagshCode.IMPORT.note(
                  in.from(token.start()), "`" + from.text() + "` is there without an import"));
      return new Stmt.Pass(in.from(token.start()));
    }
    while (!isLineOver()) in.take();
    var found = RagshCode.UNSUPPORTED.at(in.from(token.start()), "nothing can be imported");
    var names = String.join(", ", presets.stream().sorted().toList());
    in.diagnostics()
        .add(
            presets.contains(from.text())
                ? found.help(
                    "`" + from.text() + "` is there already: use it as `" + from.text() + ".name`")
                : found.help("these modules are there without an import: " + names));
    return new Stmt.Pass(in.from(token.start()));
  }

  private Stmt assignment() {
    var first = expressions.several();
    if (in.is(":") && !(first instanceof Expr.Tuple)) return declaration(first);
    if (in.is(Kind.OPERATOR) && CHANGES.contains(in.peek().text())) {
      var op = in.take().text();
      Targets.checkChange(first, in.diagnostics());
      var value = expressions.several();
      return new Stmt.Change(in.from(first), first, op.substring(0, op.length() - 1), value);
    }
    if (!in.is("=")) return new Stmt.Run(in.from(first), first);
    var targets = new ArrayList<Expr>();
    var value = first;
    while (in.accept("=")) {
      Targets.check(value, in.diagnostics());
      targets.add(value);
      value = expressions.several();
    }
    return new Stmt.Assign(in.from(first), targets, value);
  }

  private Stmt declaration(Expr target) {
    in.take();
    expressions.expression();
    Targets.checkChange(target, in.diagnostics());
    if (!in.accept("=")) return new Stmt.Declare(in.from(target), target);
    var value = expressions.several();
    return new Stmt.Assign(in.from(target), List.of(target), value);
  }
}
