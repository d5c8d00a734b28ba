package dev.superstep.language.json;

import java.util.Locale;

/// Writes JSON: always the same text for the same tree.
final class JsonWriting {
  private static final String INDENT = "  ";

  private JsonWriting() {}

  static void compact(JsonTree tree, StringBuilder out) {
    switch (tree) {
      case JsonTree.Items(var values) -> {
        var comma = "[";
        for (var value : values) {
          out.append(comma);
          compact(value, out);
          comma = ",";
        }
        out.append(values.isEmpty() ? "[]" : "]");
      }
      case JsonTree.Fields(var values) -> {
        var comma = "{";
        for (var field : values.entrySet()) {
          out.append(comma);
          string(field.getKey(), out);
          out.append(':');
          compact(field.getValue(), out);
          comma = ",";
        }
        out.append(values.isEmpty() ? "{}" : "}");
      }
      case JsonTree.Text(var value) -> string(value, out);
      case JsonTree.Decimal(var value) -> out.append(value.toPlainString());
      case JsonTree.Bool(var value) -> out.append(value);
      case JsonTree.Null() -> out.append("null");
    }
  }

  static void pretty(JsonTree tree, StringBuilder out, int depth) {
    switch (tree) {
      case JsonTree.Items(var values) when !values.isEmpty() -> {
        var comma = "[\n";
        for (var value : values) {
          out.append(comma).append(INDENT.repeat(depth + 1));
          pretty(value, out, depth + 1);
          comma = ",\n";
        }
        out.append('\n').append(INDENT.repeat(depth)).append(']');
      }
      case JsonTree.Fields(var values) when !values.isEmpty() -> {
        var comma = "{\n";
        for (var field : values.entrySet()) {
          out.append(comma).append(INDENT.repeat(depth + 1));
          string(field.getKey(), out);
          out.append(": ");
          pretty(field.getValue(), out, depth + 1);
          comma = ",\n";
        }
        out.append('\n').append(INDENT.repeat(depth)).append('}');
      }
      default -> compact(tree, out);
    }
  }

  private static void string(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20 || c == 0x7F || (Character.isSurrogate(c) && isLone(text, i))) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else out.append(c);
        }
      }
    }
    out.append('"');
  }

  private static boolean isLone(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
        : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
  }
}
