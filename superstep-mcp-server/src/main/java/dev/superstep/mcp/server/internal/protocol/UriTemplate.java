package dev.superstep.mcp.server.internal.protocol;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the parts of a URI that a template leaves open. In one pass, without regular expressions.
public final class UriTemplate {
  private UriTemplate() {}

  /// The values of the parts, if the URI fits: texts without a slash, at least one character long.
  public static Optional<Map<String, String>> match(String template, String uri) {
    var parts = new LinkedHashMap<String, String>();
    int at = 0;
    int from = 0;
    while (true) {
      int open = template.indexOf('{', from);
      var literal = open < 0 ? template.substring(from) : template.substring(from, open);
      if (!uri.startsWith(literal, at)) return Optional.empty();
      at += literal.length();
      if (open < 0) return at == uri.length() ? Optional.of(parts) : Optional.empty();
      int close = template.indexOf('}', open);
      if (close < 0) return Optional.empty();
      int next = template.indexOf('{', close);
      var after = next < 0 ? template.substring(close + 1) : template.substring(close + 1, next);
      int end = after.isEmpty() ? uri.length() : uri.indexOf(after, at);
      if (next < 0 && !after.isEmpty()) end = uri.length() - after.length();
      if (end <= at) return Optional.empty();
      var value = uri.substring(at, end);
      if (value.indexOf('/') >= 0) return Optional.empty();
      parts.put(template.substring(open + 1, close), decoded(value));
      at = end;
      from = close + 1;
    }
  }

  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return value;
    }
  }

  /// The names of the parts of a template.
  static List<String> names(String template) {
    var names = new ArrayList<String>();
    for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', open + 1)) {
      int close = template.indexOf('}', open);
      if (close > 0) names.add(template.substring(open + 1, close));
    }
    return names;
  }
}
