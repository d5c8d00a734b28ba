package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Span;
import dev.superstep.repl.internal.value.BigInt;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Value;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads what texts and numbers in a source mean.
final class Literals {
  private Literals() {}

  /// The offset where a text ends: at its mark, or where the source or the line does.
  static int end(String text, int from, int limit, String mark, boolean isFormat) {
    int depth = 0;
    int at = from;
    while (at < limit) {
      char c = text.charAt(at);
      if (depth == 0 && text.startsWith(mark, at)) return at;
      if (mark.length() == 1 && (c == '\n' || c == '\r')) return at;
      if (c == '\\' && depth == 0) at++;
      else if (isFormat && c == '{') {
        if (depth == 0 && text.startsWith("{{", at)) at++;
        else depth++;
      } else if (isFormat && c == '}' && depth > 0) depth--;
      else if (depth > 0 && (c == '"' || c == '\'')) {
        int closed = nested(text, at, limit, mark);
        if (closed < 0) return at;
        at = closed;
      }
      at++;
    }
    return Math.min(at, limit);
  }

  // A text inside a field; it may use the quotes of the text around it.
  private static int nested(String text, int at, int limit, String mark) {
    char quote = text.charAt(at);
    for (int i = at + 1; i < limit; i++) {
      char c = text.charAt(i);
      if (c == quote) return i;
      if (mark.length() == 1 && (c == '\n' || c == '\r')) return -1;
      if (c == '\\') i++;
    }
    return -1;
  }

  /// The number that is written, or `null` if it is none.
  static @Nullable Value number(Token token, Diagnostics diagnostics) {
    var text = token.text().toLowerCase(Locale.ROOT);
    if (text.endsWith("_") || text.contains("__") || text.contains("_.") || text.contains("._")) {
      return wrong(token, diagnostics, "`_` in a number stands between digits");
    }
    var plain = text.replace("_", "");
    try {
      if (plain.startsWith("0x")) return whole(plain.substring(2), 16, token, diagnostics);
      if (plain.startsWith("0o")) return whole(plain.substring(2), 8, token, diagnostics);
      if (plain.startsWith("0b")) return whole(plain.substring(2), 2, token, diagnostics);
      if (plain.endsWith("j")) {
        return wrong(token, diagnostics, "complex numbers are not part of the language");
      }
      if (plain.chars().allMatch(c -> c >= '0' && c <= '9')) {
        if (plain.length() > 1 && plain.startsWith("0") && !plain.matches("0+")) {
          return wrong(token, diagnostics, "a whole number does not begin with 0; octal is 0o...");
        }
        return whole(plain, 10, token, diagnostics);
      }
      if (!plain.matches("(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?")) {
        return wrong(token, diagnostics, "`" + token.text() + "` is no number");
      }
      return new Real(Double.parseDouble(plain));
    } catch (NumberFormatException _) {
      return wrong(token, diagnostics, "`" + token.text() + "` is no number");
    }
  }

  private static @Nullable Value whole(
      String digits, int radix, Token token, Diagnostics diagnostics) {
    if (digits.length() > BigInt.BITS_MAX || digits.startsWith("-") || digits.startsWith("+")) {
      return wrong(token, diagnostics, "the number is too long");
    }
    var value = new BigInteger(digits, radix);
    if (value.bitLength() > BigInt.BITS_MAX) {
      return wrong(token, diagnostics, "integers have at most " + BigInt.BITS_MAX + " bits");
    }
    return Int.of(value);
  }

  private static @Nullable Value wrong(Token token, Diagnostics diagnostics, String message) {
    diagnostics.add(RagshCode.SYNTAX.at(token.span(), message));
    return null;
  }

  /// The text that a part of a source means.
  ///
  /// @param start the offset of the part in the source, for messages
  static String unescape(String raw, int start, Diagnostics diagnostics) {
    if (raw.indexOf('\\') < 0) return newlines(raw);
    var text = new StringBuilder();
    int at = 0;
    while (at < raw.length()) {
      char c = raw.charAt(at);
      if (c != '\\' || at + 1 == raw.length()) {
        text.append(c);
        at++;
        continue;
      }
      at = escape(raw, at + 1, start, text, diagnostics);
    }
    return newlines(text.toString());
  }

  static String newlines(String text) {
    return text.indexOf('\r') < 0 ? text : text.replace("\r\n", "\n");
  }

  private static int escape(
      String raw, int at, int start, StringBuilder text, Diagnostics diagnostics) {
    char c = raw.charAt(at);
    switch (c) {
      case '\n' -> {}
      case '\r' -> {
        if (raw.startsWith("\r\n", at)) return at + 2;
      }
      case '\\', '\'', '"' -> text.append(c);
      case 'n' -> text.append('\n');
      case 't' -> text.append('\t');
      case 'r' -> text.append('\r');
      case 'a' -> text.append('\u0007');
      case 'b' -> text.append('\b');
      case 'f' -> text.append('\f');
      case 'v' -> text.append('\u000B');
      case 'x' -> {
        return hex(raw, at, start, text, diagnostics);
      }
      case 'u' -> {
        return hex(raw, at, start, text, diagnostics);
      }
      case 'U' -> {
        return hex(raw, at, start, text, diagnostics);
      }
      case 'N' -> {
        return named(raw, at, start, text, diagnostics);
      }
      default -> {
        if (c >= '0' && c <= '7') return octal(raw, at, text);
        text.append('\\').append(c);
      }
    }
    return at + 1;
  }

  private static int octal(String raw, int at, StringBuilder text) {
    int value = 0;
    int to = at;
    while (to < raw.length() && to < at + 3 && raw.charAt(to) >= '0' && raw.charAt(to) <= '7') {
      value = value * 8 + raw.charAt(to++) - '0';
    }
    text.append((char) value);
    return to;
  }

  private static int hex(
      String raw, int at, int start, StringBuilder text, Diagnostics diagnostics) {
    int digits = raw.charAt(at) == 'x' ? 2 : raw.charAt(at) == 'u' ? 4 : 8;
    int to = Math.min(raw.length(), at + 1 + digits);
    var written = raw.substring(at + 1, to);
    boolean isHex =
        written.length() == digits
            && written.chars().allMatch(d -> Character.digit(d, 16) >= 0 && d < 0x80);
    long value = isHex ? Long.parseLong(written, 16) : -1;
    if (value < 0 || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      diagnostics.add(
          RagshCode.SYNTAX.at(
              new Span(start + at - 1, start + to),
              "`\\" + raw.charAt(at) + written + "` is no character"));
      return to;
    }
    text.appendCodePoint((int) value);
    return to;
  }

  private static int named(
      String raw, int at, int start, StringBuilder text, Diagnostics diagnostics) {
    int close = raw.indexOf('}', at);
    if (raw.startsWith("{", at + 1) && close > 0 && close - at < 100) {
      try {
        text.appendCodePoint(Character.codePointOf(raw.substring(at + 2, close)));
        return close + 1;
      } catch (IllegalArgumentException _) {
        // Reported below.
      }
    }
    int to = close < 0 ? at + 1 : close + 1;
    diagnostics.add(
        RagshCode.SYNTAX.at(
            new Span(start + at - 1, start + to), "there is no character of this name"));
    return to;
  }
}
