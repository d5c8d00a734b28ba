package dev.superstep.store;

import java.nio.charset.StandardCharsets;

/// The texts that every store can hold, and their one order.
final class Texts {
  private Texts() {}

  /// @throws InvalidItem if a database could not keep the text
  static void check(String part, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new InvalidItem(part, text, "has a character U+0000, which databases refuse.");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new InvalidItem(
          part, text, "has half of a surrogate pair, which is no character. Cut texts elsewhere.");
    }
  }

  /// By code points, as databases with the order of bytes do; [String#compareTo] differs beyond
  /// U+FFFF.
  static int compare(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a == b) continue;
      boolean split = Character.isSurrogate(a) != Character.isSurrogate(b);
      if (split) return Character.isSurrogate(a) ? 1 : -1;
      return Character.compare(a, b);
    }
    return Integer.compare(one.length(), other.length());
  }

  /// Writes half of a surrogate pair as JSON's escape, which reads as the same string and can be
  /// stored.
  static String withoutHalves(String json) {
    if (StandardCharsets.UTF_8.newEncoder().canEncode(json)) return json;
    var escaped = new StringBuilder(json.length() + 16);
    json.codePoints()
        .forEach(point -> {
          boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
          if (half) escaped.append("\\u%04x".formatted(point));
          else escaped.appendCodePoint(point);
        });
    return escaped.toString();
  }
}
