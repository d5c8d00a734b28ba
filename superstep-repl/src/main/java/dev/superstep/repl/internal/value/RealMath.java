package dev.superstep.repl.internal.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/// Floating-point arithmetic with the rules of Python.
public final class RealMath {
  private RealMath() {}

  static Value binary(String op, Value a, Value b) {
    if ("&|^<<>>".contains(op)) return Arith.unsupported(op, a, b);
    double x = Numbers.real(a);
    double y = Numbers.real(b);
    return new Real(
        switch (op) {
          case "+" -> x + y;
          case "-" -> x - y;
          case "*" -> x * y;
          case "/" -> divide(x, y);
          case "//" -> floorDivide(x, y);
          case "%" -> modulo(x, y);
          case "**" -> power(x, y);
          default -> throw new IllegalArgumentException(op);
        });
  }

  /// The quotient of floating-point numbers.
  public static double divide(double x, double y) {
    if (y == 0) throw Raise.zero("float division by zero");
    return x / y;
  }

  /// The quotient of whole numbers, rounded once.
  public static double quotient(BigInteger x, BigInteger y) {
    if (y.signum() == 0) throw Raise.zero("division by zero");
    if (x.bitLength() <= 53 && y.bitLength() <= 53) return x.doubleValue() / y.doubleValue();
    int scale = 70 + y.bitLength() - x.bitLength();
    double real =
        new BigDecimal(x)
            .divide(new BigDecimal(y), new MathContext(Math.max(40, Math.abs(scale) / 3 + 40)))
            .doubleValue();
    if (Double.isInfinite(real))
      throw Raise.overflow("integer division result too large for a float");
    return real;
  }

  /// The quotient rounded down.
  public static double floorDivide(double x, double y) {
    if (y == 0) throw Raise.zero("float floor division by zero");
    double rest = x % y;
    double quotient = (x - rest) / y;
    if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return Math.copySign(0, x / y);
    double floor = Math.floor(quotient);
    return quotient - floor > 0.5 ? floor + 1 : floor;
  }

  /// The rest with the sign of the divisor.
  public static double modulo(double x, double y) {
    if (y == 0) throw Raise.zero("float modulo");
    double rest = x % y;
    if (rest == 0) return Math.copySign(0, y);
    return (y < 0) != (rest < 0) ? rest + y : rest;
  }

  /// A power.
  public static double power(double x, double y) {
    if (x == 0 && y < 0) throw Raise.zero("0.0 cannot be raised to a negative power");
    if (x == 1 || y == 0) return 1;
    if (x == -1 && Double.isInfinite(y)) return 1;
    if (x < 0 && y != Math.rint(y) && !Double.isInfinite(x)) {
      throw Raise.value("the result would be a complex number, which this language does not have");
    }
    double found = Math.pow(x, y);
    if (Double.isInfinite(found) && !Double.isInfinite(x) && !Double.isInfinite(y)) {
      throw new Raise(
          new ErrorValue(ErrorType.OVERFLOW, Int.of(34), new Str("Numerical result out of range")));
    }
    return found;
  }

  /// A floating-point number as a whole one, towards zero.
  public static Value whole(double real) {
    if (Double.isNaN(real)) throw Raise.value("cannot convert float NaN to integer");
    if (Double.isInfinite(real)) throw Raise.overflow("cannot convert float infinity to integer");
    if (Math.abs(real) < 9e18) return Int.of((long) real);
    return Int.of(new BigDecimal(real).toBigInteger());
  }
}
