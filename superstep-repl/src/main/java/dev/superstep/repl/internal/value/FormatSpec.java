package dev.superstep.repl.internal.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;

/// Formats a value by a specification such as `>10,.2f`: the one language of f-strings, `format()`
/// and `str.format`. No attribute and no item can be reached from it.
public final class FormatSpec {
  private static final int PRECISION_MAX = 10_000;

  private String fill = " ";
  private char align;
  private char sign = '-';
  private boolean isAlternate;
  private boolean isZero;
  private long width;
  private char grouping;
  private int precision = -1;
  private char type;

  private FormatSpec() {}

  /// Formats a value.
  public static String format(Meter m, Value value, String spec) {
    if (spec.isEmpty()) return Repr.str(m, value);
    var parsed = parse(spec, value);
    return parsed.apply(m, value);
  }

  static FormatSpec of(char sign, boolean isAlternate, int precision, char type) {
    var spec = new FormatSpec();
    spec.sign = sign;
    spec.isAlternate = isAlternate;
    spec.precision = precision;
    spec.type = type;
    return spec;
  }

  private static FormatSpec parse(String text, Value value) {
    var spec = new FormatSpec();
    int at = 0;
    int first = text.codePointAt(0);
    int after = Character.charCount(first);
    if (after < text.length() && isAlign(text.charAt(after))) {
      spec.fill = Character.toString(first);
      spec.align = text.charAt(after);
      at = after + 1;
    } else if (isAlign(text.charAt(0))) {
      spec.align = text.charAt(0);
      at = 1;
    }
    if (at < text.length() && "+- ".indexOf(text.charAt(at)) >= 0) spec.sign = text.charAt(at++);
    if (at < text.length() && text.charAt(at) == '#') {
      spec.isAlternate = true;
      at++;
    }
    if (at < text.length() && text.charAt(at) == '0') {
      spec.isZero = true;
      at++;
    }
    int digits = at;
    while (at < text.length() && isDigit(text.charAt(at))) at++;
    spec.width = number(text.substring(digits, at));
    if (at < text.length() && ",_".indexOf(text.charAt(at)) >= 0) spec.grouping = text.charAt(at++);
    if (at < text.length() && text.charAt(at) == '.') {
      digits = ++at;
      while (at < text.length() && isDigit(text.charAt(at))) at++;
      if (at == digits) throw Raise.value("Format specifier missing precision");
      spec.precision = (int) Math.min(number(text.substring(digits, at)), Integer.MAX_VALUE);
    }
    if (at < text.length()) spec.type = text.charAt(at++);
    if (at < text.length()) {
      throw Raise.value(
          "Invalid format specifier '" + text + "' for object of type '" + value.typeName() + "'");
    }
    return spec;
  }

  private static boolean isAlign(char c) {
    return c == '<' || c == '>' || c == '^' || c == '=';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static long number(String digits) {
    if (digits.isEmpty()) return 0;
    if (digits.length() > 12) throw Raise.value("Too many decimal digits in format string");
    return Long.parseLong(digits);
  }

  private String apply(Meter m, Value value) {
    if (value instanceof Str s) return text(m, s);
    if (value instanceof Bool && type == 0) {
      return number(m, Numbers.big(value).toString());
    }
    if (Numbers.isWhole(value)) {
      if ("eEfFgG%".indexOf(type) >= 0 && type != 0) return real(m, Numbers.real(value));
      return whole(m, Numbers.big(value));
    }
    if (value instanceof Real r) return real(m, r.value);
    throw Raise.type("unsupported format string passed to " + value.typeName() + ".__format__");
  }

  private String text(Meter m, Str s) {
    if (type != 0 && type != 's') throw unknown("str");
    if (sign != '-') throw Raise.value("Sign not allowed in string format specifier");
    if (align == '=') throw Raise.value("'=' alignment not allowed in string format specifier");
    if (grouping != 0) throw Raise.value("Cannot specify '" + grouping + "' with 's'.");
    var text = precision >= 0 && precision < s.length() ? s.part(m, 0, precision) : s;
    return pad(m, text.text(m), text.length(), isZero && align == 0 ? '<' : align);
  }

  private Raise unknown(String kind) {
    return Raise.value("Unknown format code '" + type + "' for object of type '" + kind + "'");
  }

  private String pad(Meter m, String text, int length, char side) {
    if (width <= length) return text;
    long gap = width - length;
    m.charge(4 * width);
    m.work(width);
    var by = isZero && fill.equals(" ") ? "0" : fill;
    long left = side == '>' ? gap : side == '^' ? gap / 2 : 0;
    return by.repeat((int) left) + text + by.repeat((int) (gap - left));
  }

  // --- whole numbers ---

  String whole(Meter m, BigInteger value) {
    if (precision >= 0) throw Raise.value("Precision not allowed in integer format specifier");
    if (type == 'c') return character(m, value);
    int radix =
        switch (type) {
          case 'b' -> 2;
          case 'o' -> 8;
          case 'x', 'X' -> 16;
          case 0, 'd', 'n' -> 10;
          default -> throw unknown("int");
        };
    if (grouping == ',' && radix != 10) {
      throw Raise.value("Cannot specify ',' with '" + type + "'.");
    }
    var digits = value.abs().toString(radix);
    if (type == 'X') digits = digits.toUpperCase(Locale.ROOT);
    var prefix = isAlternate && radix != 10 ? "0" + type : "";
    return signed(m, value.signum() < 0, new Digits(prefix, digits, ""), radix == 10 ? 3 : 4);
  }

  private String character(Meter m, BigInteger value) {
    if (value.signum() < 0 || value.bitLength() > 20 + 1 || value.intValue() > 0x10FFFF) {
      throw Raise.overflow("%c arg not in range(0x110000)");
    }
    return pad(m, Character.toString(value.intValue()), 1, align);
  }

  private String number(Meter m, String digits) {
    return signed(m, digits.startsWith("-"), new Digits("", digits.replace("-", ""), ""), 3);
  }

  private record Digits(String prefix, String digits, String rest) {}

  /// Puts sign, prefix, digits and the rest together and pads them.
  private String signed(Meter m, boolean isNegative, Digits parts, int group) {
    var prefix = parts.prefix;
    var digits = parts.digits;
    var rest = parts.rest;
    var mark = isNegative ? "-" : sign == '+' ? "+" : sign == ' ' ? " " : "";
    var head = mark + prefix;
    boolean isInner = align == '=' || (isZero && align == 0);
    var by = isZero && fill.equals(" ") ? "0" : fill;
    long room = width - head.length() - rest.length();
    if (room > 0) {
      m.charge(4 * room);
      m.work(room);
    }
    var body = digits;
    if (grouping != 0 && isDigits(digits)) {
      if (isInner && by.equals("0")) body = zeros(body, room, group);
      body = grouped(body, group);
    }
    if (!isInner)
      return pad(
          m,
          head + body + rest,
          head.length() + body.length() + rest.length(),
          align == 0 ? '>' : align);
    long gap = room - body.length();
    return head + (gap > 0 ? by.repeat((int) gap) : "") + body + rest;
  }

  private static boolean isDigits(String text) {
    return !text.isEmpty() && Character.digit(text.charAt(0), 16) >= 0 && !text.startsWith("inf");
  }

  private static String zeros(String digits, long room, int group) {
    var more = new StringBuilder(digits);
    while (more.length() + (more.length() - 1) / group < room) more.insert(0, '0');
    return more.toString();
  }

  private String grouped(String digits, int group) {
    var parts = new StringBuilder();
    for (int i = 0; i < digits.length(); i++) {
      if (i > 0 && (digits.length() - i) % group == 0) parts.append(grouping);
      parts.append(digits.charAt(i));
    }
    return parts.toString();
  }

  // --- floating-point numbers ---

  String real(Meter m, double value) {
    if (precision > PRECISION_MAX) throw Raise.value("precision too big; at most " + PRECISION_MAX);
    if (type != 0 && "eEfFgG%n".indexOf(type) < 0) throw unknown("float");
    m.tick(1 + Math.max(0, precision) / 16);
    boolean isNegative = value < 0 || (value == 0 && 1 / value < 0);
    var text = digits(Math.abs(value));
    if (Character.isUpperCase(type)) text = text.toUpperCase(Locale.ROOT);
    int point = 0;
    while (point < text.length() && isDigit(text.charAt(point))) point++;
    if (point == 0) return signed(m, isNegative, new Digits("", text, ""), 3);
    return signed(
        m, isNegative, new Digits("", text.substring(0, point), text.substring(point)), 3);
  }

  private String digits(double value) {
    if (Double.isNaN(value)) return type == '%' ? "nan%" : "nan";
    if (Double.isInfinite(value)) return type == '%' ? "inf%" : "inf";
    return switch (type) {
      case 'f', 'F' -> fixed(new BigDecimal(value), precision < 0 ? 6 : precision);
      case '%' -> fixed(new BigDecimal(value * 100), precision < 0 ? 6 : precision) + "%";
      case 'e', 'E' -> scientific(value, precision < 0 ? 6 : precision, false);
      case 'g', 'G', 'n' -> general(value, precision < 0 ? 6 : Math.max(1, precision), false);
      default -> precision < 0 ? Repr.real(value) : general(value, Math.max(1, precision), true);
    };
  }

  private String fixed(BigDecimal value, int places) {
    var text = value.setScale(places, RoundingMode.HALF_EVEN).toPlainString();
    return isAlternate && places == 0 ? text + "." : text;
  }

  private String scientific(double value, int places, boolean isTrimmed) {
    var exact = new BigDecimal(value);
    if (exact.signum() == 0) return mantissa("0".repeat(places + 1), isTrimmed) + "e+00";
    var rounded = exact.round(new java.math.MathContext(places + 1, RoundingMode.HALF_EVEN));
    var digits = rounded.unscaledValue().toString();
    int exponent = digits.length() - 1 - rounded.scale();
    if (digits.length() < places + 1) digits += "0".repeat(places + 1 - digits.length());
    digits = digits.substring(0, places + 1);
    int size = Math.abs(exponent);
    return mantissa(digits, isTrimmed)
        + (exponent < 0 ? "e-" : "e+")
        + (size < 10 ? "0" : "")
        + size;
  }

  private String mantissa(String digits, boolean isTrimmed) {
    var first = digits.substring(0, 1);
    var rest = digits.substring(1);
    if (isTrimmed && !isAlternate) rest = trimmed(rest);
    return rest.isEmpty() ? first + (isAlternate ? "." : "") : first + "." + rest;
  }

  private static String trimmed(String digits) {
    int end = digits.length();
    while (end > 0 && digits.charAt(end - 1) == '0') end--;
    return digits.substring(0, end);
  }

  /// @param withPoint keeps a digit after the point, as `str()` would
  private String general(double value, int figures, boolean withPoint) {
    var exact = new BigDecimal(value);
    var rounded = exact.round(new java.math.MathContext(figures, RoundingMode.HALF_EVEN));
    int exponent = exact.signum() == 0 ? 0 : rounded.precision() - 1 - rounded.scale();
    int most = withPoint ? figures - 1 : figures;
    if (exponent < -4 || exponent >= Math.max(most, withPoint ? 0 : 1)) {
      return scientific(value, figures - 1, true);
    }
    var text =
        rounded
            .setScale(Math.max(0, figures - 1 - exponent), RoundingMode.HALF_EVEN)
            .toPlainString();
    if (isAlternate) return text.indexOf('.') < 0 ? text + "." : text;
    if (text.indexOf('.') >= 0) {
      text = trimmed(text);
      if (text.endsWith(".")) text = text.substring(0, text.length() - 1);
    }
    return withPoint && text.indexOf('.') < 0 ? text + ".0" : text;
  }
}
