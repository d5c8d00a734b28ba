package dev.superstep.repl.internal.name;

import dev.superstep.repl.internal.syntax.Expr;
import dev.superstep.repl.internal.syntax.Stmt;
import java.util.List;

/// Finds the names that the statements of a function bind, without what is in functions inside it.
/// A `:=` is found when its expression is visited.
final class Bindings {
  private Bindings() {}

  static void of(List<Stmt> all, Scope scope) {
    for (var stmt : all)
      if (stmt instanceof Stmt.Nonlocal n) n.names().forEach(name -> keep(name, scope));
    for (var stmt : all) of(stmt, scope);
  }

  // Names said to be of a function around are not bound here, wherever that is said.
  private static void keep(Expr.Name name, Scope scope) {
    for (var at = scope.outer(); at != null; at = at.outer()) {
      if (at.binds(name.id())) scope.nonlocal(name.id());
    }
  }

  private static void of(Stmt stmt, Scope scope) {
    switch (stmt) {
      case Stmt.Assign assign -> assign.targets().forEach(target -> parameters(target, scope));
      case Stmt.Change change -> parameters(change.target(), scope);
      case Stmt.Declare declare -> parameters(declare.target(), scope);
      case Stmt.If choice -> {
        choice.branches().forEach(branch -> of(branch.body(), scope));
        of(choice.otherwise(), scope);
      }
      case Stmt.While loop -> {
        of(loop.body(), scope);
        of(loop.otherwise(), scope);
      }
      case Stmt.For loop -> {
        parameters(loop.target(), scope);
        of(loop.body(), scope);
        of(loop.otherwise(), scope);
      }
      case Stmt.Def def -> scope.bind(def.name().id());
      case Stmt.Try attempt -> {
        of(attempt.body(), scope);
        for (var handler : attempt.handlers()) {
          var name = handler.name();
          if (name != null) scope.bind(name.id());
          of(handler.body(), scope);
        }
        of(attempt.otherwise(), scope);
        of(attempt.last(), scope);
      }
      case Stmt.Delete delete -> delete.targets().forEach(target -> parameters(target, scope));
      case Stmt.Run _,
          Stmt.Return _,
          Stmt.Break _,
          Stmt.Continue _,
          Stmt.Pass _,
          Stmt.Throw _,
          Stmt.Assert _,
          Stmt.Nonlocal _ -> {}
    }
  }

  static void parameters(Expr target, Scope scope) {
    switch (target) {
      case Expr.Name name -> scope.bind(name.id());
      case Expr.Tuple tuple -> tuple.items().forEach(item -> parameters(item, scope));
      case Expr.Items items -> items.items().forEach(item -> parameters(item, scope));
      case Expr.Starred starred -> parameters(starred.value(), scope);
      case Expr _ -> {}
    }
  }
}
