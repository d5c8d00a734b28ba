package dev.superstep.mcp.internal.tool;

import dev.superstep.mcp.internal.wire.Wire;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The arguments of a tool that are repeated in headers, as its schema asks by `x-mcp-header`
/// (revision 2026-07-28). Immutable.
///
/// @param headers the ends of the headers' names, by paths of property names
public record ParamHeaders(Map<List<String>, String> headers) {
  /// A tool without such arguments.
  public static final ParamHeaders NONE = new ParamHeaders(Map.of());

  private static final String KEY = "x-mcp-header";
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
  private static final Set<String> TYPES = Set.of("string", "integer", "boolean");
  private static final int HEADERS_MAX = 50;
  private static final int TEXT_MAX = 8_000;

  /// Reads a schema.
  ///
  /// @throws IllegalArgumentException if it asks for what cannot be a header
  public static ParamHeaders of(JsonNode schema) {
    var found = new LinkedHashMap<List<String>, String>();
    var open = new ArrayList<String>();
    collect(schema, open, found);
    var names = new HashSet<String>();
    for (var name : found.values()) {
      if (!TOKEN.matcher(name).matches()) throw unusable("its name is no name of a header");
      if (!names.add(name.toLowerCase(Locale.ROOT))) throw unusable("two have one name");
    }
    if (found.size() != count(schema)) throw unusable("it is where no argument is");
    if (found.size() > HEADERS_MAX) throw unusable("there are more than " + HEADERS_MAX);
    return new ParamHeaders(Map.copyOf(found));
  }

  /// Returns why a schema cannot be used, if it cannot.
  public static Optional<String> problem(JsonNode schema) {
    try {
      var _ = of(schema);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException unusable(String why) {
    return new IllegalArgumentException("its `x-mcp-header` cannot be used: " + why);
  }

  /// Only what is reached by properties alone is the place of one argument.
  private static void collect(JsonNode schema, List<String> path, Map<List<String>, String> found) {
    for (var property : schema.path("properties").properties()) {
      path.add(property.getKey());
      var one = property.getValue();
      if (one.isObject() && one.has(KEY)) {
        if (!TYPES.contains(Wire.text(one, "type"))) {
          throw unusable("the argument is no text, whole number or truth value");
        }
        found.put(List.copyOf(path), Wire.text(one, KEY));
      }
      collect(one, path, found);
      path.removeLast();
    }
  }

  /// The number of schemas anywhere that ask for a header; values that are no schemas do not count.
  private static int count(JsonNode node) {
    int count = 0;
    if (node.isArray()) for (var one : node) count += count(one);
    for (var field : node.properties()) {
      switch (field.getKey()) {
        case "const", "enum", "default", "examples" -> {}
        case KEY -> count++;
        case "properties", "$defs", "definitions", "dependentSchemas", "patternProperties" -> {
          for (var one : field.getValue()) count += count(one);
        }
        default -> count += count(field.getValue());
      }
    }
    return count;
  }

  /// The headers of a call; what is not there or null has none.
  ///
  /// @return values by the ends of the headers' names, not yet encoded
  /// @throws IllegalArgumentException if a text is too long for a header
  public Map<String, String> of(JsonNode arguments, String tool) {
    var all = new LinkedHashMap<String, String>();
    for (var one : headers.entrySet()) {
      var value = arguments;
      for (var key : one.getKey()) value = value.path(key);
      if (!value.isString() && !value.isNumber() && !value.isBoolean()) continue;
      var text = value.isNumber() ? number(value.decimalValue()) : value.asString();
      if (text.length() > TEXT_MAX) {
        throw new IllegalArgumentException(
            "`%s` of `%s` has more than %d characters, which no header takes"
                .formatted(String.join(".", one.getKey()), tool, TEXT_MAX));
      }
      all.put(one.getValue(), text);
    }
    return all;
  }

  private static String number(BigDecimal number) {
    boolean isWhole =
        number.precision() - number.scale() < 30 && number.stripTrailingZeros().scale() <= 0;
    return isWhole ? number.toBigInteger().toString() : number.toString();
  }
}
