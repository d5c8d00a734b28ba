package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.ErrorType;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Value;
import java.math.BigInteger;

/// `json.loads`.
final class JsonReading {
  private static final int DEPTH_MAX = 500;
  private static final int DIGITS_MAX = 1_300;

  private final Meter m;
  private final String text;
  private int at;
  private int depth;

  private JsonReading(Meter m, String text) {
    this.m = m;
    this.text = text;
  }

  static Value read(Meter m, String text) {
    var reading = new JsonReading(m, text);
    reading.blanks();
    var value = reading.value();
    reading.blanks();
    if (reading.at < text.length()) throw reading.wrong("Extra data", reading.at);
    return value;
  }

  private Raise wrong(String message, int where) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < where && i < text.length(); i++) {
      if (text.charAt(i) == '\n') {
        line++;
        start = i + 1;
      }
    }
    return Raise.of(
        ErrorType.JSON,
        message + ": line " + line + " column " + (where - start + 1) + " (char " + where + ")");
  }

  private void blanks() {
    while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
  }

  private Value value() {
    m.tick(1);
    if (at >= text.length()) throw wrong("Expecting value", at);
    char c = text.charAt(at);
    if (c == '"') return string();
    if (c == '{') return map();
    if (c == '[') return list();
    if (c == '-' || (c >= '0' && c <= '9')) {
      if (text.startsWith("-Infinity", at))
        return word("-Infinity", new Real(Double.NEGATIVE_INFINITY));
      return number();
    }
    if (text.startsWith("true", at)) return word("true", Bool.TRUE);
    if (text.startsWith("false", at)) return word("false", Bool.FALSE);
    if (text.startsWith("null", at)) return word("null", None.NONE);
    if (text.startsWith("NaN", at)) return word("NaN", new Real(Double.NaN));
    if (text.startsWith("Infinity", at))
      return word("Infinity", new Real(Double.POSITIVE_INFINITY));
    throw wrong("Expecting value", at);
  }

  private Value word(String word, Value value) {
    at += word.length();
    return value;
  }

  private void deeper() {
    if (++depth > DEPTH_MAX) throw wrong("nested deeper than " + DEPTH_MAX, at);
  }

  private Value list() {
    deeper();
    at++;
    var all = ListValue.sized(m, 0);
    blanks();
    if (at < text.length() && text.charAt(at) == ']') {
      at++;
      depth--;
      return all;
    }
    while (true) {
      blanks();
      all.add(m, value());
      blanks();
      char c = at < text.length() ? text.charAt(at) : 0;
      if (c != ',' && c != ']') throw wrong("Expecting ',' delimiter", at);
      at++;
      if (c == ']') break;
    }
    depth--;
    return all;
  }

  private Value map() {
    deeper();
    at++;
    var all = new DictValue(m);
    blanks();
    if (at < text.length() && text.charAt(at) == '}') {
      at++;
      depth--;
      return all;
    }
    while (true) {
      blanks();
      if (at >= text.length() || text.charAt(at) != '"') {
        throw wrong("Expecting property name enclosed in double quotes", at);
      }
      var key = string();
      blanks();
      if (at >= text.length() || text.charAt(at) != ':') throw wrong("Expecting ':' delimiter", at);
      at++;
      blanks();
      all.table().put(m, key, value());
      blanks();
      char c = at < text.length() ? text.charAt(at) : 0;
      if (c != ',' && c != '}') throw wrong("Expecting ',' delimiter", at);
      at++;
      if (c == '}') break;
    }
    depth--;
    return all;
  }

  private Value number() {
    int from = at;
    if (text.charAt(at) == '-') at++;
    int digits = at;
    while (isDigit()) at++;
    if (at == digits) throw wrong("Expecting value", from);
    if (text.charAt(digits) == '0') at = digits + 1;
    boolean isReal = false;
    if (at + 1 < text.length()
        && text.charAt(at) == '.'
        && Character.isDigit(text.charAt(at + 1))) {
      isReal = true;
      at++;
      while (isDigit()) at++;
    }
    int exponent = at;
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) at++;
      if (isDigit()) {
        isReal = true;
        while (isDigit()) at++;
      } else at = exponent;
    }
    var written = text.substring(from, at);
    m.work(written.length());
    if (isReal) return new Real(Double.parseDouble(written));
    if (written.length() > DIGITS_MAX) throw wrong("the number is too long", from);
    return Int.of(new BigInteger(written));
  }

  private boolean isDigit() {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private Str string() {
    int from = at++;
    var out = new StringBuilder();
    while (true) {
      if (at >= text.length()) throw wrong("Unterminated string starting at", from);
      char c = text.charAt(at++);
      if (c == '"') break;
      if (c < ' ') throw wrong("Invalid control character at", at - 1);
      if (c == '\\') escape(out);
      else out.append(c);
    }
    m.charge(2L * out.length());
    m.work(out.length());
    return Str.of(m, TextValue.wellFormed(out.toString()));
  }

  private void escape(StringBuilder out) {
    char c = at < text.length() ? text.charAt(at) : 0;
    int known = "\"\\/bfnrt".indexOf(c);
    if (c != 0 && known >= 0) {
      out.append("\"\\/\b\f\n\r\t".charAt(known));
      at++;
      return;
    }
    if (c != 'u') throw wrong("Invalid \\escape", at - 1);
    var hex = text.substring(at + 1, Math.min(text.length(), at + 5));
    if (hex.length() < 4 || !hex.chars().allMatch(d -> d < 0x80 && Character.digit(d, 16) >= 0)) {
      throw wrong("Invalid \\uXXXX escape", at);
    }
    out.append((char) Integer.parseInt(hex, 16));
    at += 5;
  }
}
