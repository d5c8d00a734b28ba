package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Arith;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.RealMath;
import dev.superstep.repl.internal.value.SetValue;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Truth;
import dev.superstep.repl.internal.value.Value;

/// Arithmetic and logic, quick for 64-bit and floating-point numbers.
final class Operators {
  private Operators() {}

  static Node binary(String op, Node left, Node right) {
    return switch (op) {
      case "+" -> new Add(left, right);
      case "-" -> new Subtract(left, right);
      case "*" -> new Multiply(left, right);
      case "/" -> new Divide(left, right);
      case "//" -> new FloorDivide(left, right);
      case "%" -> new Modulo(left, right);
      case "&", "|", "^" -> new Bits(op, left, right);
      default -> new Other(op, left, right);
    };
  }

  private static final class Add extends Node {
    private final Node left;
    private final Node right;

    Add(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      return add(f, left.eval(f), right.eval(f));
    }
  }

  static Value add(Frame f, Value a, Value b) {
    if (a instanceof Int x && b instanceof Int y) {
      long i = x.value();
      long j = y.value();
      long sum = i + j;
      if (((i ^ sum) & (j ^ sum)) >= 0) return Int.of(sum);
    } else if (a instanceof Real x) {
      if (b instanceof Real y) return new Real(x.value() + y.value());
      if (b instanceof Int y) return new Real(x.value() + y.value());
    } else if (a instanceof Str x && b instanceof Str y) return Str.concat(f.m, x, y);
    return Arith.binary(f.m, "+", a, b);
  }

  private static final class Subtract extends Node {
    private final Node left;
    private final Node right;

    Subtract(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        long rest = i - j;
        if (((i ^ j) & (i ^ rest)) >= 0) return Int.of(rest);
      } else if (a instanceof Real x) {
        if (b instanceof Real y) return new Real(x.value() - y.value());
        if (b instanceof Int y) return new Real(x.value() - y.value());
      }
      return Arith.binary(f.m, "-", a, b);
    }
  }

  private static final class Multiply extends Node {
    private final Node left;
    private final Node right;

    Multiply(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        long high = Math.multiplyHigh(i, j);
        long low = i * j;
        if ((high == 0 && low >= 0) || (high == -1 && low < 0)) return Int.of(low);
      } else if (a instanceof Real x) {
        if (b instanceof Real y) return new Real(x.value() * y.value());
        if (b instanceof Int y) return new Real(x.value() * y.value());
      }
      return Arith.binary(f.m, "*", a, b);
    }
  }

  private static final class Divide extends Node {
    private static final long EXACT = 1L << 53;

    private final Node left;
    private final Node right;

    Divide(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        if (j != 0 && i > -EXACT && i < EXACT && j > -EXACT && j < EXACT) {
          return new Real((double) i / (double) j);
        }
      } else if (a instanceof Real x && b instanceof Real y) {
        return new Real(RealMath.divide(x.value(), y.value()));
      }
      return Arith.binary(f.m, "/", a, b);
    }
  }

  private static final class FloorDivide extends Node {
    private final Node left;
    private final Node right;

    FloorDivide(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        if (j != 0 && j != -1) return Int.of(Math.floorDiv(i, j));
      }
      return Arith.binary(f.m, "//", a, b);
    }
  }

  private static final class Modulo extends Node {
    private final Node left;
    private final Node right;

    Modulo(Node left, Node right) {
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        if (j > 0) {
          long rest = i % j;
          return Int.of(rest < 0 ? rest + j : rest);
        }
      }
      return Arith.binary(f.m, "%", a, b);
    }
  }

  private static final class Bits extends Node {
    private final String op;
    private final char sign;
    private final Node left;
    private final Node right;

    Bits(String op, Node left, Node right) {
      this.op = op;
      this.sign = op.charAt(0);
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        return Int.of(sign == '&' ? i & j : sign == '|' ? i | j : i ^ j);
      }
      return Arith.binary(f.m, op, a, b);
    }
  }

  private static final class Other extends Node {
    private final String op;
    private final Node left;
    private final Node right;

    Other(String op, Node left, Node right) {
      this.op = op;
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      return Arith.binary(f.m, op, left.eval(f), right.eval(f));
    }
  }

  /// `a op= b`: lists, sets and maps change in place.
  static final class InPlace extends Node {
    private final String op;
    private final Node left;
    private final Node right;

    InPlace(String op, Node left, Node right) {
      this.op = op;
      this.left = left;
      this.right = right;
    }

    @Override
    Value eval(Frame f) {
      var a = left.eval(f);
      var b = right.eval(f);
      if (op.equals("+")) {
        if (a instanceof ListValue list) return extend(f, list, b);
        return add(f, a, b);
      }
      if (a instanceof SetValue set && b instanceof SetValue other) return change(f, set, other);
      if (op.equals("|") && a instanceof DictValue map && b instanceof DictValue other) {
        map.table().addAll(f.m, other.table());
        return map;
      }
      if (op.equals("*") && a instanceof ListValue list && b instanceof Int) {
        var all = (ListValue) Arith.binary(f.m, "*", a, b);
        list.become(all.copy(f.m));
        return list;
      }
      return quick(f, a, b);
    }

    private Value quick(Frame f, Value a, Value b) {
      if (a instanceof Int x && b instanceof Int y) {
        long i = x.value();
        long j = y.value();
        if (op.equals("-")) {
          long rest = i - j;
          if (((i ^ j) & (i ^ rest)) >= 0) return Int.of(rest);
        } else if (op.equals("*") && Math.abs(i) < 1L << 31 && Math.abs(j) < 1L << 31) {
          return Int.of(i * j);
        }
      }
      return Arith.binary(f.m, op, a, b);
    }

    private static Value extend(Frame f, ListValue list, Value more) {
      if (more instanceof ListValue other) {
        list.replace(f.m, list.size(), list.size(), other.copy(f.m));
      } else {
        var from = Iterate.over(f.m, more);
        for (var next = from.next(f.m); next != null; next = from.next(f.m)) {
          f.m.tick(1);
          list.add(f.m, next);
        }
      }
      return list;
    }

    private Value change(Frame f, SetValue set, SetValue other) {
      var result = Arith.binary(f.m, op, set, other);
      if (!(result instanceof SetValue changed)) return result;
      set.table().clear();
      set.table().addAll(f.m, changed.table());
      return set;
    }
  }

  static final class Unary extends Node {
    private final String op;
    private final Node value;

    Unary(String op, Node value) {
      this.op = op;
      this.value = value;
    }

    @Override
    Value eval(Frame f) {
      var a = value.eval(f);
      if (op.equals("-") && a instanceof Int i && i.value() != Long.MIN_VALUE) {
        return Int.of(-i.value());
      }
      return Arith.unary(op, a);
    }
  }

  static final class Not extends Node {
    private final Node value;

    Not(Node value) {
      this.value = value;
    }

    @Override
    Value eval(Frame f) {
      return Bool.of(!value.test(f));
    }

    @Override
    boolean test(Frame f) {
      return !value.test(f);
    }
  }

  static final class Logic extends Node {
    private final boolean isAnd;
    private final Node[] values;

    Logic(boolean isAnd, Node[] values) {
      this.isAnd = isAnd;
      this.values = values;
    }

    @Override
    Value eval(Frame f) {
      for (int i = 0; i < values.length - 1; i++) {
        var value = values[i].eval(f);
        if (Truth.of(value) != isAnd) return value;
      }
      return values[values.length - 1].eval(f);
    }

    @Override
    boolean test(Frame f) {
      for (var value : values) if (value.test(f) != isAnd) return !isAnd;
      return isAnd;
    }
  }

  static final class Conditional extends Node {
    private final Node test;
    private final Node then;
    private final Node otherwise;

    Conditional(Node test, Node then, Node otherwise) {
      this.test = test;
      this.then = then;
      this.otherwise = otherwise;
    }

    @Override
    Value eval(Frame f) {
      return test.test(f) ? then.eval(f) : otherwise.eval(f);
    }
  }
}
