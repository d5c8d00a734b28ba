package dev.superstep.eval.dataset;

import dev.superstep.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// JSON values as trees and texts.
public final class JsonValues {
  private static final JsonMapper JSON = new JsonMapper();

  private JsonValues() {}

  /// A JSON string as it is, anything else as JSON.
  public static String text(Json value) {
    var tree = tree(value);
    return tree.isString() ? tree.stringValue() : value.text();
  }

  /// Returns true if two values are equal, in whatever order their fields are; `1` equals `1.0`.
  public static boolean areEqual(Json one, Json other) {
    return areEqual(tree(one), tree(other));
  }

  /// Returns true if a value has all that another one has: an object its fields, anything else an
  /// equal value.
  public static boolean contains(Json whole, Json part) {
    return contains(tree(whole), tree(part));
  }

  static JsonNode tree(Json value) {
    return JSON.readTree(value.text());
  }

  private static boolean contains(JsonNode whole, JsonNode part) {
    if (!part.isObject() || !whole.isObject()) return areEqual(whole, part);
    for (var field : part.properties()) {
      var found = whole.get(field.getKey());
      if (found == null || !contains(found, field.getValue())) return false;
    }
    return true;
  }

  private static boolean areEqual(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.decimalValue().compareTo(other.decimalValue()) == 0;
    }
    if (one.isArray() && other.isArray()) {
      if (one.size() != other.size()) return false;
      for (int i = 0; i < one.size(); i++) {
        if (!areEqual(one.get(i), other.get(i))) return false;
      }
      return true;
    }
    if (one.isObject() && other.isObject()) {
      if (one.size() != other.size()) return false;
      for (var field : one.properties()) {
        var found = other.get(field.getKey());
        if (found == null || !areEqual(field.getValue(), found)) return false;
      }
      return true;
    }
    return one.equals(other);
  }
}
