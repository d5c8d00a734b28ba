package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Equality;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Order;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Value;

/// Comparisons, quick for numbers.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
final class Comparisons {
  private Comparisons() {}

  static Node of(String op, Node left, Node right) {
    return switch (op) {
      case "<" -> new Less(left, right);
      case ">" -> new More(left, right);
      case "==" -> new Equal(left, right, true);
      case "!=" -> new Equal(left, right, false);
      default -> new Single(op, left, right);
    };
  }

  /// Compares two values.
  static boolean test(Frame f, String op, Value a, Value b) {
    return switch (op) {
      case "==" -> Equality.equal(f.m, a, b);
      case "!=" -> !Equality.equal(f.m, a, b);
      case "in" -> Items.contains(f.m, b, a);
      case "not in" -> !Items.contains(f.m, b, a);
      case "is" -> isSame(f, a, b);
      case "is not" -> !isSame(f, a, b);
      case "<=" ->
          (a instanceof Int x && b instanceof Int y)
              ? x.value() <= y.value()
              : Order.test(f.m, op, a, b);
      case ">=" ->
          (a instanceof Int x && b instanceof Int y)
              ? x.value() >= y.value()
              : Order.test(f.m, op, a, b);
      default -> Order.test(f.m, op, a, b);
    };
  }

  // Numbers and texts have no identity of their own here: equal ones of one type are the same.
  private static boolean isSame(Frame f, Value a, Value b) {
    if (a == b) return true;
    boolean isPlain =
        (a instanceof Int && b instanceof Int) || (a instanceof Str && b instanceof Str);
    return isPlain && Equality.equal(f.m, a, b);
  }

  private static final class Less extends Node {
    private final Node left;
    private final Node right;

    Less(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      return Bool.of(test(f));
    }

    @Override
    boolean test(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) return x.value() < y.value();
      if (a instanceof Real x && b instanceof Real y) return x.value() < y.value();
      return Order.test(f.m, "<", a, b);
    }
  }

  private static final class More extends Node {
    private final Node left;
    private final Node right;

    More(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      return Bool.of(test(f));
    }

    @Override
    boolean test(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) return x.value() > y.value();
      if (a instanceof Real x && b instanceof Real y) return x.value() > y.value();
      return Order.test(f.m, ">", a, b);
    }
  }

  private static final class Equal extends Node {
    private final Node left;
    private final Node right;
    private final boolean wanted;

    Equal(Node left, Node right, boolean wanted) {
      this.left = left;
      this.right = right;
      this.wanted = wanted;
    }

    @Override
    Value eval(Frame f) {
      return Bool.of(test(f));
    }

    @Override
    boolean test(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) return (x.value() == y.value()) == wanted;
      return Equality.equal(f.m, a, b) == wanted;
    }
  }

  private static final class Single extends Node {
    private final String op;
    private final Node left;
    private final Node right;

    Single(String op, Node left, Node right) {
      this.op = op;
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      return Bool.of(test(f));
    }

    @Override
    boolean test(Frame f) {
      return Comparisons.test(f, op, left.eval(f), right.eval(f));
    }
  }

  static final class Chain extends Node {
    private final Node first;
    private final String[] ops;
    private final Node[] rest;

    Chain(Node first, String[] ops, Node[] rest) {
      this.first = first;
      this.ops = ops;
      this.rest = rest;
    }

    @Override
    Value eval(Frame f) {
      return Bool.of(test(f));
    }

    @Override
    boolean test(Frame f) {
      var left = first.eval(f);
      for (int i = 0; i < ops.length; i++) {
        var right = rest[i].eval(f);
        if (!Comparisons.test(f, ops[i], left, right)) return false;
        left = right;
      }
      return true;
    }
  }
}
