package dev.superstep.store;

import dev.superstep.json.Json;
import java.util.Iterator;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON values as trees, and when two are equal: docs/decisions/0028.
final class Values {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Values() {}

  static JsonNode parse(Json json) {
    return MAPPER.readTree(json.text());
  }

  /// @throws InvalidItem if it is no JSON pointer
  static JsonPointer pointer(String text) {
    try {
      return JsonPointer.compile(text);
    } catch (IllegalArgumentException _) {
      throw new InvalidItem(
          "path", text, "is no JSON pointer. Write it as `/address/city` or `/tags/0`.");
    }
  }

  /// Numbers are equal by value, objects whatever the order of their properties.
  static boolean areEqual(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue()) == 0;
    }
    if (one.getNodeType() != other.getNodeType() || one.size() != other.size()) return false;
    if (one.isObject()) {
      return one.properties().stream()
          .allMatch(property -> {
            var same = other.get(property.getKey());
            return same != null && areEqual(property.getValue(), same);
          });
    }
    if (!one.isArray()) return one.equals(other);
    Iterator<JsonNode> others = other.iterator();
    for (var element : one) if (!areEqual(element, others.next())) return false;
    return true;
  }

  /// Returns whether the two values have an order: two numbers, or two strings.
  static boolean areOrdered(JsonNode one, JsonNode other) {
    return (one.isNumber() && other.isNumber()) || (one.isString() && other.isString());
  }

  static int compare(JsonNode one, JsonNode other) {
    return one.isNumber()
        ? one.decimalValue().compareTo(other.decimalValue())
        : Texts.compare(one.stringValue(), other.stringValue());
  }
}
