package dev.superstep.tool;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Repairs of arguments that leave nothing to guess. Small models put a code fence around them,
/// wrap them in an object of one field (`arguments`, or a name that they made up), or write the
/// schema around them.
final class ArgumentRepair {
  private ArgumentRepair() {}

  /// Unwraps arguments, if that makes them good.
  ///
  /// @param raw arguments that are not
  static Optional<String> unwrapped(Tool tool, String raw) {
    var text = unfenced(raw.strip());
    if (!text.equals(raw) && tool.problems(text).isEmpty()) return Optional.of(text);
    return inner(tool, text).filter(inside -> tool.problems(inside).isEmpty());
  }

  private static String unfenced(String text) {
    var fence = "```";
    int line = text.indexOf('\n');
    boolean fenced = text.startsWith(fence) && text.endsWith(fence) && line > 0;
    return fenced ? text.substring(line + 1, text.length() - fence.length()).strip() : text;
  }

  private static Optional<String> inner(Tool tool, String text) {
    JsonNode outer;
    try {
      outer = JsonMapper.shared().readTree(text);
    } catch (JacksonException _) {
      return Optional.empty();
    }
    if (outer.isString()) return Optional.of(outer.stringValue());
    if (!outer.isObject()) return Optional.empty();
    // A schema that is echoed has its values where its properties were.
    var echoed = outer.path("type").asString("").equals("object") && outer.has("properties");
    if (!echoed && outer.size() != 1) return Optional.empty();
    var name = echoed ? "properties" : outer.propertyNames().iterator().next();
    if (accepts(tool, name)) return Optional.empty();
    var inside = outer.get(name);
    return Optional.of(inside.isString() ? inside.stringValue() : inside.toString());
  }

  private static boolean accepts(Tool tool, String argument) {
    var schema = JsonMapper.shared().readTree(tool.spec().parameters().text());
    return schema.path("properties").has(argument);
  }
}
