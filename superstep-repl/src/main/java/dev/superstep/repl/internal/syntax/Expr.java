package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;
import dev.superstep.repl.internal.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An expression as it is written. Immutable.
public sealed interface Expr {
  Span span();

  /// A number, a text, `None`, `True` or `False`.
  record Constant(Span span, Value value) implements Expr {}

  /// A variable.
  record Name(Span span, String id) implements Expr {}

  /// An f-string.
  record Joined(Span span, List<Part> parts) implements Expr {}

  /// A part of an f-string.
  sealed interface Part {}

  /// Characters of an f-string.
  record Words(String text) implements Part {}

  /// A value in an f-string.
  ///
  /// @param conversion `s`, `r`, `a` or 0
  /// @param spec the format, which may have fields itself
  record Field(Expr value, char conversion, List<Part> spec) implements Part {}

  /// `-x`, `+x`, `~x`.
  record Unary(Span span, String op, Expr value) implements Expr {}

  /// `not x`.
  record Not(Span span, Expr value) implements Expr {}

  /// An arithmetic operator.
  record Binary(Span span, String op, Expr left, Expr right) implements Expr {}

  /// `and`, `or`.
  record Logic(Span span, boolean isAnd, List<Expr> values) implements Expr {}

  /// A chain of comparisons, `in` and `is` among them.
  record Compare(Span span, Expr first, List<String> ops, List<Expr> rest) implements Expr {}

  /// `a if test else b`.
  record Conditional(Span span, Expr test, Expr then, Expr otherwise) implements Expr {}

  /// A call.
  record Call(Span span, Expr function, List<Argument> arguments) implements Expr {}

  /// An argument of a call.
  ///
  /// @param name empty if it has none
  /// @param stars 0, 1 for `*x`, 2 for `**x`
  record Argument(Span span, String name, int stars, Expr value) {}

  /// `x.name`.
  record Attribute(Span span, Expr value, String name, Span nameSpan) implements Expr {}

  /// `x[key]`.
  record Subscript(Span span, Expr value, Expr key) implements Expr {}

  /// `a:b:c` between brackets.
  record Slice(Span span, @Nullable Expr from, @Nullable Expr to, @Nullable Expr step)
      implements Expr {}

  /// A tuple.
  record Tuple(Span span, List<Expr> items) implements Expr {}

  /// A list.
  record Items(Span span, List<Expr> items) implements Expr {}

  /// A set.
  record SetItems(Span span, List<Expr> items) implements Expr {}

  /// A map.
  record Entries(Span span, List<Entry> entries) implements Expr {}

  /// An entry of a map; without a key it is `**value`.
  record Entry(@Nullable Expr key, Expr value) {}

  /// `*x` in a call, a display or a target.
  record Starred(Span span, Expr value) implements Expr {}

  /// `lambda`.
  record Lambda(Span span, Parameters parameters, Expr body) implements Expr {}

  /// A comprehension.
  ///
  /// @param value of an entry; only in that of a map
  record Comprehension(
      Span span, Made made, Expr element, @Nullable Expr value, List<Clause> clauses)
      implements Expr {}

  /// The kinds of comprehensions.
  enum Made {
    LIST,
    SET,
    MAP,
    GENERATOR
  }

  /// `for target in source if test`.
  record Clause(Expr target, Expr source, List<Expr> tests) {}

  /// `(name := value)`.
  record Walrus(Span span, Name name, Expr value) implements Expr {}

  /// Parameters of a function.
  ///
  /// @param positionalOnly the number of those before `/`
  record Parameters(List<Parameter> all, int positionalOnly) {}

  /// A parameter.
  ///
  /// @param stars 0, 1 for `*args`, 2 for `**kwargs`
  /// @param isNamedOnly stands after `*`
  record Parameter(Span span, String name, int stars, boolean isNamedOnly, @Nullable Expr preset) {}
}
