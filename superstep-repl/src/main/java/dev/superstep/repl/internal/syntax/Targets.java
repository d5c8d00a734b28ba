package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostics;
import java.util.List;

/// Checks that something can be assigned to.
final class Targets {
  private Targets() {}

  static void check(Expr target, Diagnostics diagnostics) {
    switch (target) {
      case Expr.Name _, Expr.Subscript _ -> {}
      case Expr.Tuple tuple -> all(tuple.items(), diagnostics);
      case Expr.Items items -> all(items.items(), diagnostics);
      case Expr.Starred starred ->
          diagnostics.add(
              RagshCode.SYNTAX.at(starred.span(), "a target with `*` stands among others"));
      case Expr other -> wrong(other, "assigned to", diagnostics);
    }
  }

  private static void all(List<Expr> items, Diagnostics diagnostics) {
    int stars = 0;
    for (var item : items) {
      if (item instanceof Expr.Starred starred) {
        check(starred.value(), diagnostics);
        if (++stars == 2) {
          diagnostics.add(RagshCode.SYNTAX.at(starred.span(), "only one target can have a `*`"));
        }
      } else check(item, diagnostics);
    }
  }

  static void checkChange(Expr target, Diagnostics diagnostics) {
    if (!(target instanceof Expr.Name) && !(target instanceof Expr.Subscript)) {
      wrong(target, "changed", diagnostics);
    }
  }

  static void checkDelete(Expr target, Diagnostics diagnostics) {
    if (!(target instanceof Expr.Name) && !(target instanceof Expr.Subscript)) {
      wrong(target, "deleted", diagnostics);
    }
  }

  private static void wrong(Expr target, String how, Diagnostics diagnostics) {
    if (target instanceof Expr.Attribute attribute) {
      diagnostics.add(
          RagshCode.UNSUPPORTED
              .at(attribute.span(), "attributes cannot be " + how)
              .help("use an item: x[\"" + attribute.name() + "\"] = ..."));
      return;
    }
    var found = RagshCode.SYNTAX.at(target.span(), "this cannot be " + how);
    diagnostics.add(
        target instanceof Expr.Compare || target instanceof Expr.Constant
            ? found.help("`==` compares, `=` assigns to a name or an item")
            : found);
  }
}
