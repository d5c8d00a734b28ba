package dev.superstep.repl.internal.value;

import java.math.BigDecimal;
import java.math.BigInteger;

/// Numbers seen as one another.
public final class Numbers {
  private Numbers() {}

  public static boolean isNumber(Value value) {
    return value instanceof Int
        || value instanceof Real
        || value instanceof Bool
        || value instanceof BigInt;
  }

  /// Returns whether a value is a whole number; `True` and `False` are.
  public static boolean isWhole(Value value) {
    return value instanceof Int || value instanceof Bool || value instanceof BigInt;
  }

  /// A whole number that is one for sure.
  public static BigInteger big(Value value) {
    if (value instanceof Int i) return BigInteger.valueOf(i.value);
    if (value instanceof BigInt b) return b.value();
    if (value instanceof Bool b) return b.value() ? BigInteger.ONE : BigInteger.ZERO;
    throw Raise.type("'" + value.typeName() + "' object cannot be interpreted as an integer");
  }

  /// A whole number of 64 bits, such as an index or a count.
  public static long whole(Value value) {
    if (value instanceof Int i) return i.value;
    if (value instanceof Bool b) return b.value() ? 1 : 0;
    if (value instanceof BigInt b) {
      throw new Raise(
          new ErrorValue(
              b.value().bitLength() < 64 ? ErrorType.VALUE : ErrorType.OVERFLOW,
              new Str("Python int too large to convert to C ssize_t")));
    }
    throw Raise.type("'" + value.typeName() + "' object cannot be interpreted as an integer");
  }

  /// A count for a repetition or a width; one that is too large for an `int` is cut to the largest.
  public static int count(Value value) {
    return Math.clamp(whole(value), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /// A number as a floating-point number.
  public static double real(Value value) {
    if (value instanceof Real r) return r.value;
    if (value instanceof Int i) return i.value;
    if (value instanceof Bool b) return b.value() ? 1 : 0;
    if (value instanceof BigInt b) {
      double real = b.value().doubleValue();
      if (Double.isInfinite(real)) throw Raise.overflow("int too large to convert to float");
      return real;
    }
    throw Raise.type("must be real number, not " + value.typeName());
  }

  /// Less than, equal to or more than; never called with NaN.
  static int compare(Value a, Value b) {
    if (a instanceof Int x && b instanceof Int y) return Long.compare(x.value, y.value);
    if (a instanceof Real x && b instanceof Real y) return plain(x.value, y.value);
    if (a instanceof Real x) return mixed(x.value, big(b));
    if (b instanceof Real y) return -mixed(y.value, big(a));
    return big(a).compareTo(big(b));
  }

  private static int plain(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0;
  }

  private static int mixed(double real, BigInteger whole) {
    if (Double.isInfinite(real)) return real > 0 ? 1 : -1;
    return new BigDecimal(real).compareTo(new BigDecimal(whole));
  }

  static boolean isNaN(Value value) {
    return value instanceof Real r && Double.isNaN(r.value);
  }
}
