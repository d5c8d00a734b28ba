package dev.superstep.json;

import dev.superstep.json.JsonLimit.Excess;
import org.jspecify.annotations.Nullable;

/// Walks over well-formed JSON once and measures what is limited in it. For one thread.
final class JsonScan {
  private static final int UNICODE_ESCAPE = 6;

  private final String text;
  private final int nesting;
  private int at;
  private int depth;

  JsonScan(String text, int nesting) {
    this.text = text;
    this.nesting = nesting;
  }

  /// The first limit that the text goes over, or null.
  @Nullable Excess excess() {
    while (at < text.length()) {
      var excess =
          switch (text.charAt(at)) {
            case '"' -> string();
            case '{', '[' -> open();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> other();
          };
      if (excess != null) return excess;
    }
    return null;
  }

  private @Nullable Excess open() {
    at++;
    depth++;
    return depth > nesting ? new Excess(JsonLimit.NESTING, depth, nesting) : null;
  }

  private @Nullable Excess other() {
    char c = text.charAt(at++);
    if (c == '}' || c == ']') depth--;
    return null;
  }

  private @Nullable Excess number() {
    int from = at;
    while (at < text.length() && isOfNumber(text.charAt(at))) at++;
    return JsonLimit.NUMBER.over(at - from).orElse(null);
  }

  private static boolean isOfNumber(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  }

  private @Nullable Excess string() {
    int length = 0;
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      if (text.charAt(at) != '\\') at++;
      else if (at + 1 < text.length() && text.charAt(at + 1) == 'u') at += UNICODE_ESCAPE;
      else at += 2;
      length++;
    }
    at++;
    var limit = isName() ? JsonLimit.NAME : JsonLimit.STRING;
    return limit.over(length).orElse(null);
  }

  private boolean isName() {
    int next = at;
    while (next < text.length() && text.charAt(next) <= ' ') next++;
    return next < text.length() && text.charAt(next) == ':';
  }
}
