package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.Arith;
import dev.superstep.repl.internal.value.BigInt;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.ModuleValue;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.RealMath;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The module `math`.
final class MathModule {
  private MathModule() {}

  static ModuleValue module() {
    var all = new LinkedHashMap<String, Value>();
    all.put("pi", new Real(Math.PI));
    all.put("e", new Real(Math.E));
    all.put("tau", new Real(2 * Math.PI));
    all.put("inf", new Real(Double.POSITIVE_INFINITY));
    all.put("nan", new Real(Double.NaN));
    real(all);
    rounding(all);
    whole(all);
    tests(all);
    return new ModuleValue("math", all);
  }

  private static void add(Map<String, Value> all, String signature, Builtin.Body body) {
    var made = new Builtin(signature, body);
    all.put(made.label(), made);
  }

  private static void one(Map<String, Value> all, String name, DoubleUnaryOperator function) {
    add(
        all,
        name + "(x, /)",
        (m, a) -> {
          double x = Numbers.real(need(a[0]));
          double found = function.applyAsDouble(x);
          if (Double.isNaN(found) && !Double.isNaN(x)) throw Raise.value("math domain error");
          if (Double.isInfinite(found) && !Double.isInfinite(x))
            throw Raise.overflow("math range error");
          return new Real(found);
        });
  }

  private static void two(Map<String, Value> all, String name, DoubleBinaryOperator function) {
    add(
        all,
        name + "(x, y, /)",
        (m, a) -> {
          double x = Numbers.real(need(a[0]));
          double y = Numbers.real(need(a[1]));
          double found = function.applyAsDouble(x, y);
          if (Double.isNaN(found) && !Double.isNaN(x) && !Double.isNaN(y))
            throw Raise.value("math domain error");
          boolean isFinite = !Double.isInfinite(x) && !Double.isInfinite(y);
          if (Double.isInfinite(found) && isFinite) throw Raise.overflow("math range error");
          return new Real(found);
        });
  }

  private static void real(Map<String, Value> all) {
    one(all, "sqrt", Math::sqrt);
    one(all, "cbrt", Math::cbrt);
    one(all, "exp", Math::exp);
    one(all, "expm1", Math::expm1);
    one(all, "log1p", Math::log1p);
    one(all, "sin", Math::sin);
    one(all, "cos", Math::cos);
    one(all, "tan", Math::tan);
    one(all, "asin", Math::asin);
    one(all, "acos", Math::acos);
    one(all, "atan", Math::atan);
    one(all, "sinh", Math::sinh);
    one(all, "cosh", Math::cosh);
    one(all, "tanh", Math::tanh);
    one(all, "fabs", Math::abs);
    one(all, "degrees", x -> x * (180 / Math.PI));
    one(all, "radians", x -> x * (Math.PI / 180));
    two(all, "atan2", Math::atan2);
    two(all, "copysign", Math::copySign);
    two(all, "fmod", (x, y) -> x % y);
    two(all, "pow", Math::pow);
    add(
        all,
        "log(x, base=, /)",
        (m, a) -> {
          double log = log(need(a[0]));
          return new Real(a[1] == null ? log : RealMath.divide(log, log(need(a[1]))));
        });
    add(
        all,
        "log2(x, /)",
        (m, a) -> {
          var x = need(a[0]);
          if (x instanceof Int i && i.value() > 0 && Long.bitCount(i.value()) == 1) {
            return new Real(Long.numberOfTrailingZeros(i.value()));
          }
          return new Real(log(x) / Math.log(2));
        });
    add(all, "log10(x, /)", (m, a) -> new Real(log10(need(a[0]))));
    add(
        all,
        "hypot(*coordinates)",
        (m, a) -> {
          double sum = 0;
          for (var x : ((TupleValue) need(a[0])).items()) sum = Math.hypot(sum, Numbers.real(x));
          return new Real(sum);
        });
    add(all, "fsum(iterable, /)", MathModule::exactSum);
    add(
        all,
        "prod(iterable, /, *, start=)",
        (m, a) -> {
          var product = a[1] == null ? Int.ONE : a[1];
          for (var next : Iterate.all(m, need(a[0]))) {
            m.tick(1);
            product = Arith.binary(m, "*", product, next);
          }
          return product;
        });
  }

  private static Value exactSum(Meter m, @Nullable Value[] a) {
    var sum = BigDecimal.ZERO;
    double special = 0;
    boolean isSpecial = false;
    for (var next : Iterate.all(m, need(a[0]))) {
      m.tick(8);
      double x = Numbers.real(next);
      if (Double.isNaN(x) || Double.isInfinite(x)) {
        special += x;
        isSpecial = true;
      } else sum = sum.add(new BigDecimal(x));
    }
    return new Real(isSpecial ? special : sum.doubleValue());
  }

  private static double log(Value value) {
    if (value instanceof BigInt big && big.value().signum() > 0) {
      int shift = Math.max(0, big.value().bitLength() - 1_000);
      return Math.log(big.value().shiftRight(shift).doubleValue()) + shift * Math.log(2);
    }
    double x = Numbers.real(value);
    if (x <= 0) throw Raise.value("math domain error");
    return Math.log(x);
  }

  private static double log10(Value value) {
    if (value instanceof BigInt) return log(value) / Math.log(10);
    double x = Numbers.real(value);
    if (x <= 0) throw Raise.value("math domain error");
    return Math.log10(x);
  }

  private static void rounding(Map<String, Value> all) {
    round(all, "floor", RoundingMode.FLOOR);
    round(all, "ceil", RoundingMode.CEILING);
    round(all, "trunc", RoundingMode.DOWN);
    add(
        all,
        "modf(x, /)",
        (m, a) -> {
          double x = Numbers.real(need(a[0]));
          double whole = x < 0 ? Math.ceil(x) : Math.floor(x);
          double part = Double.isInfinite(x) ? Math.copySign(0, x) : Math.copySign(x - whole, x);
          return TupleValue.of(m, new Real(part), new Real(whole));
        });
  }

  private static void round(Map<String, Value> all, String name, RoundingMode mode) {
    add(
        all,
        name + "(x, /)",
        (m, a) -> {
          var x = need(a[0]);
          if (Numbers.isWhole(x)) return Int.of(Numbers.big(x));
          double real = Numbers.real(x);
          if (Double.isNaN(real) || Double.isInfinite(real)) return RealMath.whole(real);
          return RealMath.whole(
              mode == RoundingMode.FLOOR
                  ? Math.floor(real)
                  : mode == RoundingMode.CEILING ? Math.ceil(real) : real);
        });
  }

  private static void whole(Map<String, Value> all) {
    add(
        all,
        "gcd(*integers)",
        (m, a) -> {
          var found = BigInteger.ZERO;
          for (var x : ((TupleValue) need(a[0])).items()) {
            m.tick(4);
            found = found.gcd(Numbers.big(x));
          }
          return Int.of(found);
        });
    add(
        all,
        "lcm(*integers)",
        (m, a) -> {
          var found = BigInteger.ONE;
          for (var x : ((TupleValue) need(a[0])).items()) {
            m.tick(4);
            var next = Numbers.big(x).abs();
            if (next.signum() == 0) return Int.ZERO;
            found = Numbers.big(Int.of(found.divide(found.gcd(next)).multiply(next)));
          }
          return Int.of(found);
        });
    add(
        all,
        "factorial(n, /)",
        (m, a) -> {
          long n = Numbers.whole(need(a[0]));
          if (n < 0) throw Raise.value("factorial() not defined for negative values");
          Value product = Int.ONE;
          for (long i = 2; i <= n; i++) product = Arith.binary(m, "*", product, Int.of(i));
          return product;
        });
    add(all, "comb(n, k, /)", (m, a) -> choose(m, need(a[0]), need(a[1]), true));
    add(
        all,
        "perm(n, k=, /)",
        (m, a) -> choose(m, need(a[0]), Args.isNone(a[1]) ? need(a[0]) : need(a[1]), false));
    add(
        all,
        "isqrt(n, /)",
        (m, a) -> {
          var n = Numbers.big(need(a[0]));
          if (n.signum() < 0) throw Raise.value("isqrt() argument must be nonnegative");
          m.tick(16);
          return Int.of(n.sqrt());
        });
  }

  private static Value choose(Meter m, Value of, Value some, boolean isComb) {
    var n = Numbers.big(of);
    var k = Numbers.big(some);
    if (n.signum() < 0) throw Raise.value("n must be a non-negative integer");
    if (k.signum() < 0) throw Raise.value("k must be a non-negative integer");
    if (k.compareTo(n) > 0) return Int.ZERO;
    if (isComb) k = k.min(n.subtract(k));
    Value product = Int.ONE;
    for (long i = 0; BigInteger.valueOf(i).compareTo(k) < 0; i++) {
      m.tick(2);
      product = Arith.binary(m, "*", product, Int.of(n.subtract(BigInteger.valueOf(i))));
      if (isComb) product = Arith.binary(m, "//", product, Int.of(i + 1));
    }
    return product;
  }

  private static void tests(Map<String, Value> all) {
    add(all, "isnan(x, /)", (m, a) -> Bool.of(Double.isNaN(Numbers.real(need(a[0])))));
    add(all, "isinf(x, /)", (m, a) -> Bool.of(Double.isInfinite(Numbers.real(need(a[0])))));
    add(all, "isfinite(x, /)", (m, a) -> Bool.of(Double.isFinite(Numbers.real(need(a[0])))));
    add(
        all,
        "isclose(a, b, *, rel_tol=, abs_tol=)",
        (m, a) -> {
          double x = Numbers.real(need(a[0]));
          double y = Numbers.real(need(a[1]));
          double relative = a[2] == null ? 1e-9 : Numbers.real(a[2]);
          double absolute = a[3] == null ? 0 : Numbers.real(a[3]);
          if (relative < 0 || absolute < 0) throw Raise.value("tolerances must be non-negative");
          if (x == y) return Bool.TRUE;
          if (Double.isInfinite(x) || Double.isInfinite(y)) return Bool.FALSE;
          double distance = Math.abs(y - x);
          return Bool.of(
              distance <= Math.abs(relative * y)
                  || distance <= Math.abs(relative * x)
                  || distance <= absolute);
        });
  }
}
