package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.HashSet;

/// Parses the parameters of `def` and `lambda`.
final class ParameterParser {
  private static final int PARAMETERS_MAX = 100;

  private final Cursor in;
  private final ExprParser expressions;

  ParameterParser(Cursor in, ExprParser expressions) {
    this.in = in;
    this.expressions = expressions;
  }

  /// @param end what follows the parameters, which stays
  Expr.Parameters parameters(String end, boolean hasTypes) {
    var all = new ArrayList<Expr.Parameter>();
    var names = new HashSet<String>();
    int positionalOnly = 0;
    boolean isNamedOnly = false;
    boolean needsPreset = false;
    while (!in.is(end)) {
      int start = in.peek().start();
      if (in.accept("/")) {
        positionalOnly = all.size();
      } else if (in.is("*") && (in.peek(1).is(",") || in.peek(1).is(end))) {
        in.take();
        isNamedOnly = true;
      } else {
        int stars = in.accept("**") ? 2 : in.accept("*") ? 1 : 0;
        var name = in.expect(Kind.NAME, "the name of a parameter");
        if (hasTypes && in.accept(":")) expressions.expression();
        Expr preset = stars == 0 && in.accept("=") ? expressions.expression() : null;
        if (stars == 0 && !isNamedOnly) {
          if (preset == null && needsPreset) missing(name.span());
          needsPreset |= preset != null;
        }
        if (!names.add(name.text())) twice(name);
        all.add(new Expr.Parameter(in.from(start), name.text(), stars, isNamedOnly, preset));
        if (stars == 1) isNamedOnly = true;
      }
      if (all.size() > PARAMETERS_MAX) throw in.lost("a function has at most 100 parameters");
      if (!in.accept(",")) break;
    }
    return new Expr.Parameters(all, positionalOnly);
  }

  private void missing(Span span) {
    in.diagnostics()
        .add(
            RagshCode.SYNTAX
                .at(span, "a parameter without a default follows one that has one")
                .help("put it before, or give it a default"));
  }

  private void twice(Token name) {
    in.diagnostics()
        .add(
            RagshCode.SYNTAX.at(name.span(), "the parameter `" + name.text() + "` is there twice"));
  }
}
