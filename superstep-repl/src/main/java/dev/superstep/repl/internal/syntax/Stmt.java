package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A statement as it is written. Immutable.
public sealed interface Stmt {
  /// Its place; for a block, the place of its first line.
  Span span();

  /// An expression on its own.
  record Run(Span span, Expr value) implements Stmt {}

  /// `a = b = value`.
  record Assign(Span span, List<Expr> targets, Expr value) implements Stmt {}

  /// `a += value`.
  record Change(Span span, Expr target, String op, Expr value) implements Stmt {}

  /// `a: type`, with no value.
  record Declare(Span span, Expr target) implements Stmt {}

  /// `if`, `elif`, `else`.
  record If(Span span, List<Branch> branches, List<Stmt> otherwise) implements Stmt {}

  /// A branch of an `if`.
  record Branch(Expr test, List<Stmt> body) {}

  /// `while`.
  record While(Span span, Expr test, List<Stmt> body, List<Stmt> otherwise) implements Stmt {}

  /// `for`.
  record For(Span span, Expr target, Expr source, List<Stmt> body, List<Stmt> otherwise)
      implements Stmt {}

  /// `def`.
  record Def(Span span, Expr.Name name, Expr.Parameters parameters, List<Stmt> body)
      implements Stmt {}

  /// `return`.
  record Return(Span span, @Nullable Expr value) implements Stmt {}

  /// `break`.
  record Break(Span span) implements Stmt {}

  /// `continue`.
  record Continue(Span span) implements Stmt {}

  /// `pass`, or an import of what is there already.
  record Pass(Span span) implements Stmt {}

  /// `try`.
  record Try(
      Span span, List<Stmt> body, List<Handler> handlers, List<Stmt> otherwise, List<Stmt> last)
      implements Stmt {}

  /// `except type as name`.
  record Handler(Span span, @Nullable Expr type, Expr.@Nullable Name name, List<Stmt> body) {}

  /// `raise`.
  record Throw(Span span, @Nullable Expr error, @Nullable Expr cause) implements Stmt {}

  /// `assert`.
  record Assert(Span span, Expr test, @Nullable Expr message) implements Stmt {}

  /// `del`.
  record Delete(Span span, List<Expr> targets) implements Stmt {}

  /// `nonlocal`.
  record Nonlocal(Span span, List<Expr.Name> names) implements Stmt {}
}
