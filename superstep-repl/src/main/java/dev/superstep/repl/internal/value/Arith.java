package dev.superstep.repl.internal.value;

import java.math.BigInteger;

/// The arithmetic operators for all pairs of values; what is common is done by the nodes that call
/// them.
public final class Arith {
  private Arith() {}

  /// Applies an operator such as `+` or `//`.
  public static Value binary(Meter m, String op, Value a, Value b) {
    if (Numbers.isNumber(a) && Numbers.isNumber(b)) {
      boolean isReal = a instanceof Real || b instanceof Real;
      return isReal ? RealMath.binary(op, a, b) : whole(m, op, a, b);
    }
    return switch (op) {
      case "+" -> add(m, a, b);
      case "*" -> times(m, a, b);
      case "%" ->
          a instanceof Str s ? Str.of(m, Percent.format(m, s.text(m), b)) : unsupported(op, a, b);
      case "|" ->
          a instanceof DictValue x && b instanceof DictValue y ? merge(m, x, y) : sets(m, op, a, b);
      case "&", "-", "^" -> sets(m, op, a, b);
      default -> unsupported(op, a, b);
    };
  }

  @SuppressWarnings("DoNotCallSuggester") // Stands where a value is wanted.
  static Value unsupported(String op, Value a, Value b) {
    throw Raise.type(
        "unsupported operand type(s) for "
            + (op.equals("**") ? "** or pow()" : op)
            + ": '"
            + a.typeName()
            + "' and '"
            + b.typeName()
            + "'");
  }

  private static Value add(Meter m, Value a, Value b) {
    if (a instanceof Str x) {
      if (b instanceof Str y) return Str.concat(m, x, y);
      throw Raise.type("can only concatenate str (not \"" + b.typeName() + "\") to str");
    }
    if (a instanceof ListValue x) {
      if (!(b instanceof ListValue y)) {
        throw Raise.type("can only concatenate list (not \"" + b.typeName() + "\") to list");
      }
      var all = ListValue.sized(m, x.size + y.size);
      m.work(x.size + y.size);
      System.arraycopy(x.items, 0, all.items, 0, x.size);
      System.arraycopy(y.items, 0, all.items, x.size, y.size);
      all.size = x.size + y.size;
      return all;
    }
    if (a instanceof TupleValue x) {
      if (!(b instanceof TupleValue y)) {
        throw Raise.type("can only concatenate tuple (not \"" + b.typeName() + "\") to tuple");
      }
      m.charge((long) Value.PLACE * (x.items.length + y.items.length));
      m.work(x.items.length + y.items.length);
      var all = java.util.Arrays.copyOf(x.items, x.items.length + y.items.length);
      System.arraycopy(y.items, 0, all, x.items.length, y.items.length);
      return TupleValue.of(m, all);
    }
    return unsupported("+", a, b);
  }

  private static Value times(Meter m, Value a, Value b) {
    if (isSequence(a) && Numbers.isWhole(b)) return repeat(m, a, Numbers.whole(b));
    if (isSequence(b) && Numbers.isWhole(a)) return repeat(m, b, Numbers.whole(a));
    if (isSequence(a) || isSequence(b)) {
      var other = isSequence(a) ? b : a;
      throw Raise.type("can't multiply sequence by non-int of type '" + other.typeName() + "'");
    }
    return unsupported("*", a, b);
  }

  private static boolean isSequence(Value value) {
    return value instanceof Str || value instanceof ListValue || value instanceof TupleValue;
  }

  private static Value repeat(Meter m, Value a, long times) {
    long n = Math.max(0, times);
    if (a instanceof Str s) {
      if (n == 0 || s.chars() == 0) return Str.EMPTY;
      grow(m, 2L * s.chars(), n);
      return Str.of(m, s.text(m).repeat((int) n));
    }
    var part = a instanceof ListValue l ? l.copy(m) : ((TupleValue) a).items;
    if (n > 0 && part.length > 0) grow(m, (long) Value.PLACE * part.length, n);
    var all = new Value[part.length == 0 ? 0 : (int) (part.length * n)];
    System.arraycopy(part, 0, all, 0, Math.min(part.length, all.length));
    for (int done = part.length; done < all.length; done *= 2) {
      System.arraycopy(all, 0, all, done, Math.min(done, all.length - done));
    }
    return a instanceof ListValue ? new ListValue(m, all) : TupleValue.of(m, all);
  }

  /// Counts a result of so many times so many bytes before it is made.
  static void grow(Meter m, long bytes, long times) {
    if (times > m.limits().bytes() / bytes) m.charge(m.limits().bytes() + 1);
    m.charge(bytes * times);
    m.work(bytes * times);
  }

  private static Value merge(Meter m, DictValue a, DictValue b) {
    var all = new DictValue(m);
    all.table().addAll(m, a.table());
    all.table().addAll(m, b.table());
    return all;
  }

  private static Value sets(Meter m, String op, Value a, Value b) {
    if (!isSet(a) || !isSet(b)) return unsupported(op, a, b);
    return SetMath.apply(m, op, asSet(m, a), asSet(m, b));
  }

  private static boolean isSet(Value value) {
    return value instanceof SetValue
        || (value instanceof ViewValue v && v.side() != Iterate.View.VALUES);
  }

  private static SetValue asSet(Meter m, Value value) {
    return value instanceof ViewValue v ? v.set(m) : (SetValue) value;
  }

  private static Value whole(Meter m, String op, Value a, Value b) {
    if (a instanceof Bool x && b instanceof Bool y && "&|^".contains(op)) {
      return Bool.of(
          switch (op) {
            case "&" -> x.value() && y.value();
            case "|" -> x.value() || y.value();
            default -> x.value() ^ y.value();
          });
    }
    var x = Numbers.big(a);
    var y = Numbers.big(b);
    m.tick(1 + (long) (x.bitLength() >> 6) * (y.bitLength() >> 6) / 8);
    return switch (op) {
      case "+" -> Int.of(x.add(y));
      case "-" -> Int.of(x.subtract(y));
      case "*" -> Int.of(x.multiply(y));
      case "/" -> new Real(RealMath.quotient(x, y));
      case "//" -> Int.of(floorDivide(x, y)[0]);
      case "%" -> Int.of(floorDivide(x, y)[1]);
      case "**" -> power(m, x, y);
      case "&" -> Int.of(x.and(y));
      case "|" -> Int.of(x.or(y));
      case "^" -> Int.of(x.xor(y));
      case "<<" -> shiftLeft(x, y);
      case ">>" -> shiftRight(x, y);
      default -> unsupported(op, a, b);
    };
  }

  /// The quotient rounded down and the rest with the sign of the divisor.
  public static BigInteger[] floorDivide(BigInteger a, BigInteger b) {
    if (b.signum() == 0) throw Raise.zero("integer division or modulo by zero");
    var both = a.divideAndRemainder(b);
    if (both[1].signum() != 0 && both[1].signum() != b.signum()) {
      both[0] = both[0].subtract(BigInteger.ONE);
      both[1] = both[1].add(b);
    }
    return both;
  }

  private static Value power(Meter m, BigInteger base, BigInteger exponent) {
    if (exponent.signum() < 0) {
      if (base.signum() == 0) throw Raise.zero("0.0 cannot be raised to a negative power");
      return RealMath.binary("**", new Real(base.doubleValue()), new Real(exponent.doubleValue()));
    }
    if (base.bitLength() <= 1 && base.abs().compareTo(BigInteger.ONE) <= 0) {
      if (exponent.signum() == 0 || base.signum() > 0) return Int.ONE;
      if (base.signum() == 0) return Int.ZERO;
      return Int.of(exponent.testBit(0) ? -1 : 1);
    }
    long bits = base.bitLength() - 1L;
    if (exponent.bitLength() > 13 || bits * exponent.intValue() > BigInt.BITS_MAX) {
      throw BigInt.tooLarge();
    }
    m.tick(64);
    return Int.of(base.pow(exponent.intValue()));
  }

  private static Value shiftLeft(BigInteger a, BigInteger by) {
    if (by.signum() < 0) throw Raise.value("negative shift count");
    if (a.signum() == 0) return Int.ZERO;
    if (by.bitLength() > 13) throw BigInt.tooLarge();
    return Int.of(a.shiftLeft(by.intValue()));
  }

  private static Value shiftRight(BigInteger a, BigInteger by) {
    if (by.signum() < 0) throw Raise.value("negative shift count");
    if (by.bitLength() > 30) return Int.of(a.signum() < 0 ? -1 : 0);
    return Int.of(a.shiftRight(by.intValue()));
  }

  /// Applies `-`, `+` or `~`.
  public static Value unary(String op, Value a) {
    if (a instanceof Real r && !op.equals("~")) return op.equals("-") ? new Real(-r.value) : r;
    if (!Numbers.isWhole(a)) {
      throw Raise.type("bad operand type for unary " + op + ": '" + a.typeName() + "'");
    }
    var x = Numbers.big(a);
    return switch (op) {
      case "-" -> Int.of(x.negate());
      case "~" -> Int.of(x.not());
      default -> Int.of(x);
    };
  }

  /// `pow()` with a modulus.
  public static Value power(Meter m, Value base, Value exponent, Value modulus) {
    var by = Numbers.big(modulus);
    if (by.signum() == 0) throw Raise.value("pow() 3rd argument cannot be 0");
    var to = Numbers.big(exponent);
    long size = by.bitLength() / 64 + 1L;
    m.tick(1 + (to.bitLength() + 1) * size * size / 4);
    var positive = by.abs();
    try {
      var found = Numbers.big(base).modPow(to, positive);
      boolean isShifted = by.signum() < 0 && found.signum() != 0;
      return Int.of(isShifted ? found.add(by) : found);
    } catch (ArithmeticException _) {
      throw Raise.value("base is not invertible for the given modulus");
    }
  }
}
