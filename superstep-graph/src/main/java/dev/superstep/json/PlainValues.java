package dev.superstep.json;

import org.jspecify.annotations.Nullable;

/// A short way for the values that most channels hold: plain text, whole numbers and booleans.
/// Whatever is not in its simplest form is left to the mapper, which writes the same and says what
/// is wrong with the rest.
final class PlainValues {
  // So many digits always fit.
  private static final int INT_DIGITS = 9;
  private static final int LONG_DIGITS = 18;

  private PlainValues() {}

  /// The value as JSON, or null if it has to be mapped.
  static @Nullable String encode(Object value) {
    // Not a switch on the type, whose first use takes longer than the rest of a short start.
    if (value instanceof String text) {
      return isPlain(text, 0, text.length()) ? '"' + text + '"' : null;
    }
    boolean isItsText = value instanceof Long || value instanceof Integer;
    return isItsText || value instanceof Boolean ? value.toString() : null;
  }

  /// Decodes a value, or returns null if the mapper must do it.
  static @Nullable Object decode(Class<?> type, String json) {
    if (type == String.class) return text(json);
    if (type == Long.class) return isNumber(json, LONG_DIGITS) ? Long.valueOf(json) : null;
    if (type == Integer.class) return isNumber(json, INT_DIGITS) ? Integer.valueOf(json) : null;
    if (type != Boolean.class) return null;
    if (json.equals("true")) return true;
    return json.equals("false") ? false : null;
  }

  private static @Nullable String text(String json) {
    int end = json.length() - 1;
    if (end < 1 || json.charAt(0) != '"' || json.charAt(end) != '"') return null;
    return isPlain(json, 1, end) ? json.substring(1, end) : null;
  }

  /// Returns whether each character stands for itself in JSON, in ASCII.
  private static boolean isPlain(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') return false;
    }
    return true;
  }

  /// Returns whether the text is a whole number as this class writes it: no sign but a minus, no
  /// leading zero.
  private static boolean isNumber(String json, int digits) {
    int from = json.startsWith("-") ? 1 : 0;
    int many = json.length() - from;
    if (many < 1 || many > digits) return false;
    if (json.charAt(from) == '0') return many == 1 && from == 0;
    for (int i = from; i < json.length(); i++) {
      if (json.charAt(i) < '0' || json.charAt(i) > '9') return false;
    }
    return true;
  }
}
