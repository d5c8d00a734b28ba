package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.BigInt;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.RealMath;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Numbers from texts and from other numbers.
final class Conversions {
  private static final int DIGITS_MAX = 4_300;

  private Conversions() {}

  static Value whole(Meter m, @Nullable Value value, @Nullable Value base) {
    if (value == null) return Int.ZERO;
    if (value instanceof Str text)
      return parse(m, text, base == null ? 10 : Math.clamp(Numbers.whole(base), -1, 100));
    if (base != null) throw Raise.type("int() can't convert non-string with explicit base");
    if (value instanceof Real real) return RealMath.whole(real.value());
    if (Numbers.isWhole(value)) return Int.of(Numbers.big(value));
    throw Raise.type(
        "int() argument must be a string, a bytes-like object or a real number, not '"
            + value.typeName()
            + "'");
  }

  private static Value parse(Meter m, Str text, int base) {
    if (base != 0 && (base < 2 || base > 36))
      throw Raise.value("int() base must be >= 2 and <= 36, or 0");
    var written = strip(text.text(m));
    m.work(written.length());
    boolean isNegative = written.startsWith("-");
    var digits = isNegative || written.startsWith("+") ? written.substring(1) : written;
    int radix = base;
    var prefix = digits.length() > 1 ? digits.substring(0, 2).toLowerCase(Locale.ROOT) : "";
    int meant =
        switch (prefix) {
          case "0x" -> 16;
          case "0o" -> 8;
          case "0b" -> 2;
          default -> 0;
        };
    if (meant > 0 && (base == 0 || base == meant)) {
      digits = digits.substring(2);
      if (digits.startsWith("_")) digits = digits.substring(1);
      radix = meant;
    } else if (base == 0) {
      radix = 10;
      if (digits.matches("0[0_]*[1-9].*")) digits = "";
    }
    if (digits.length() > DIGITS_MAX) {
      throw Raise.value(
          "Exceeds the limit (" + DIGITS_MAX + " digits) for integer string conversion");
    }
    boolean isPlain =
        !digits.isEmpty()
            && !digits.endsWith("_")
            && !digits.startsWith("_")
            && !digits.contains("__");
    var plain = digits.replace("_", "");
    int by = radix;
    if (!isPlain || !plain.codePoints().allMatch(c -> Character.digit(c, by) >= 0)) {
      throw Raise.value("invalid literal for int() with base " + base + ": " + Repr.repr(m, text));
    }
    m.tick(1 + (long) plain.length() * plain.length() / 2_048);
    var ascii = new StringBuilder();
    plain.codePoints().forEach(c -> ascii.append(Character.forDigit(Character.digit(c, by), by)));
    var number = new BigInteger(ascii.toString(), radix);
    return Int.of(isNegative ? number.negate() : number);
  }

  private static String strip(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && StrTests.isSpace(text.charAt(from))) from++;
    while (to > from && StrTests.isSpace(text.charAt(to - 1))) to--;
    return text.substring(from, to);
  }

  static Value real(Meter m, Value value) {
    if (value instanceof Real) return value;
    if (Numbers.isNumber(value)) return new Real(Numbers.real(value));
    if (!(value instanceof Str text)) {
      throw Raise.type(
          "float() argument must be a string or a real number, not '" + value.typeName() + "'");
    }
    var written = strip(text.text(m)).toLowerCase(Locale.ROOT);
    m.work(written.length());
    boolean isNegative = written.startsWith("-");
    var bare = isNegative || written.startsWith("+") ? written.substring(1) : written;
    double number;
    if (bare.equals("inf") || bare.equals("infinity")) number = Double.POSITIVE_INFINITY;
    else if (bare.equals("nan")) number = Double.NaN;
    else if (bare.length() < 10_000
        && bare.matches("(\\d+(_\\d+)*)?\\.?(\\d+(_\\d+)*)?(e[+-]?\\d+(_\\d+)*)?")
        && bare.matches(".*\\d.*")
        && !bare.startsWith("e")
        && !bare.startsWith(".e")) {
      number = Double.parseDouble(bare.replace("_", ""));
    } else throw Raise.value("could not convert string to float: " + Repr.repr(m, text));
    return new Real(isNegative ? -number : number);
  }

  /// `round()`: half to even.
  static Value round(Meter m, Value value, @Nullable Value digits) {
    if (value instanceof Real real) {
      if (Args.isNone(digits)) {
        if (Double.isNaN(real.value()) || Double.isInfinite(real.value()))
          return RealMath.whole(real.value());
        return RealMath.whole(Math.rint(real.value()));
      }
      long places = Args.whole(digits, 0);
      if (places > 400 || Double.isNaN(real.value()) || Double.isInfinite(real.value()))
        return real;
      if (places < -400) return new Real(Math.copySign(0, real.value()));
      m.tick(4);
      double rounded =
          new BigDecimal(real.value()).setScale((int) places, RoundingMode.HALF_EVEN).doubleValue();
      return new Real(rounded == 0 ? Math.copySign(0, real.value()) : rounded);
    }
    if (!Numbers.isWhole(value)) {
      throw Raise.type("type " + value.typeName() + " doesn't define __round__ method");
    }
    long places = Args.whole(digits, 0);
    if (places >= 0) return Int.of(Numbers.big(value));
    if (places < -BigInt.BITS_MAX) return Int.ZERO;
    m.tick(16);
    return Int.of(
        new BigDecimal(Numbers.big(value))
            .setScale((int) places, RoundingMode.HALF_EVEN)
            .toBigInteger());
  }
}
