package dev.superstep.model.wire;

import dev.superstep.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/// Schemas whose top level vendors accept: an object without alternatives. Any other schema becomes
/// the one field of an object, which [FieldText] takes out of what the model writes.
final class WrappedSchema {
  /// The field that holds the value.
  static final String FIELD = "value";

  private static final JsonMapper JSON = JsonMapper.shared();

  /// Keywords that OpenAI and Anthropic refuse beside `type` at the top level.
  private static final List<String> ALTERNATIVES =
      List.of("anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "if");

  private WrappedSchema() {}

  /// Returns whether a vendor would refuse the schema for its top level.
  static boolean isNeeded(Json schema) {
    var text = schema.text();
    // Nearly all schemas are of records; they are not read for this.
    if (text.startsWith("{\"type\":\"object\"") && !mayHaveAlternatives(text)) return false;
    return isNeeded(Schemas.of(schema));
  }

  private static boolean mayHaveAlternatives(String text) {
    return ALTERNATIVES.stream().anyMatch(keyword -> text.contains("\"" + keyword + "\":"));
  }

  private static boolean isNeeded(JsonNode schema) {
    if (!schema.path("type").asString("").equals("object")) return true;
    return ALTERNATIVES.stream().anyMatch(schema::has);
  }

  /// The schema of an object whose one field has the given one.
  static Json of(Json schema) {
    var inner = Schemas.of(schema);
    var outer = JSON.createObjectNode().put("type", "object");
    if (inner instanceof ObjectNode object) {
      for (var name : List.of("$defs", "definitions")) {
        var shared = object.remove(name);
        if (shared != null) outer.set(name, moved(shared));
      }
      object.remove("$schema");
    }
    outer.putObject("properties").set(FIELD, moved(inner));
    outer.putArray("required").add(FIELD);
    outer.put("additionalProperties", false);
    return Json.unchecked(outer.toString());
  }

  /// Lets references to the top level, or into it, refer to the field.
  private static JsonNode moved(JsonNode schema) {
    if (schema.isArray()) {
      var out = JSON.createArrayNode();
      for (var part : schema) out.add(moved(part));
      return out;
    }
    if (!(schema instanceof ObjectNode object)) return schema;
    var out = JSON.createObjectNode();
    for (var property : object.properties()) {
      var isReference = property.getKey().equals("$ref") && property.getValue().isString();
      out.set(
          property.getKey(),
          isReference ? target(property.getValue().stringValue()) : moved(property.getValue()));
    }
    return out;
  }

  private static StringNode target(String reference) {
    var isShared = reference.startsWith("#/$defs/") || reference.startsWith("#/definitions/");
    if (!reference.startsWith("#") || isShared) return StringNode.valueOf(reference);
    return StringNode.valueOf("#/properties/" + FIELD + reference.substring(1));
  }

  /// A value as the arguments of a wrapped schema.
  static String wrapped(String arguments) {
    return "{\"" + FIELD + "\":" + (arguments.isBlank() ? "{}" : arguments) + "}";
  }
}
