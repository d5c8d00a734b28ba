package dev.superstep.a2a.internal;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// The canonical form of JSON, by RFC 8785: members in the order of their names, strings and
/// numbers as ECMAScript writes them, and no blanks.
final class CanonicalJson {
  private static final int PLAIN_DIGITS_MAX = 21;
  private static final int PLAIN_ZEROS_MAX = 6;

  private final StringBuilder text = new StringBuilder();

  private CanonicalJson() {}

  /// Writes a value.
  ///
  /// @throws IllegalArgumentException if it has half of a surrogate pair, or a number that no
  ///   double is
  static String of(JsonNode value) {
    var canonical = new CanonicalJson();
    canonical.write(value);
    return canonical.text.toString();
  }

  private void write(JsonNode value) {
    if (value.isObject()) {
      // The order of UTF-16 code units, as that of strings here is.
      var members = new TreeMap<String, JsonNode>();
      value.forEachEntry(members::put);
      var separator = "{";
      for (var member : members.entrySet()) {
        text.append(separator);
        string(member.getKey());
        text.append(':');
        write(member.getValue());
        separator = ",";
      }
      text.append(members.isEmpty() ? "{}" : "}");
    } else if (value.isArray()) {
      var separator = "[";
      for (var element : value) {
        text.append(separator);
        write(element);
        separator = ",";
      }
      text.append(value.isEmpty() ? "[]" : "]");
    } else if (value.isString()) {
      string(value.stringValue());
    } else if (value.isNumber()) {
      text.append(number(value.decimalValue().doubleValue()));
    } else {
      text.append(value.isBoolean() ? String.valueOf(value.booleanValue()) : "null");
    }
  }

  private void string(String value) {
    text.append('"');
    value
        .codePoints()
        .forEach(c -> {
          switch (c) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\b' -> text.append("\\b");
            case '\f' -> text.append("\\f");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> character(c);
          }
        });
    text.append('"');
  }

  private void character(int c) {
    if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
      throw new IllegalArgumentException("a text has half of a surrogate pair");
    }
    if (c < ' ') text.append("\\u%04x".formatted(c));
    else text.appendCodePoint(c);
  }

  /// A number as ECMAScript writes it: the fewest digits that tell it from its neighbours.
  static String number(double number) {
    if (!Double.isFinite(number)) throw new IllegalArgumentException("a number is too large");
    if (number == 0) return "0";
    if (number < 0) return "-" + number(-number);
    var shortest = shortest(number).stripTrailingZeros();
    var digits = shortest.unscaledValue().toString();
    // The place of the point, counted from the first digit.
    int point = digits.length() - shortest.scale();
    if (point > PLAIN_DIGITS_MAX || point <= -PLAIN_ZEROS_MAX) return scientific(digits, point - 1);
    if (point >= digits.length()) return digits + "0".repeat(point - digits.length());
    if (point > 0) return digits.substring(0, point) + "." + digits.substring(point);
    return "0." + "0".repeat(-point) + digits;
  }

  /// The JDK writes two digits where one is enough, as in 4.9E-324.
  private static BigDecimal shortest(double number) {
    var known = new BigDecimal(Double.toString(number));
    var digit = known.round(new MathContext(1));
    return digit.doubleValue() == number ? digit : known;
  }

  private static String scientific(String digits, int exponent) {
    var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
  }
}
