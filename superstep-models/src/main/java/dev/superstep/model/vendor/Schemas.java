package dev.superstep.model.vendor;

import dev.superstep.json.Json;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// JSON Schemas as vendors want them.
final class Schemas {
  private static final int NAME_MAX = 64;

  /// Keywords that Gemini documents. It refuses a request over any other.
  private static final Set<String> GEMINI =
      Set.of(
          "$defs",
          "$ref",
          "$anchor",
          "type",
          "format",
          "title",
          "description",
          "enum",
          "items",
          "prefixItems",
          "minItems",
          "maxItems",
          "minimum",
          "maximum",
          "anyOf",
          "oneOf",
          "properties",
          "additionalProperties",
          "required");

  private Schemas() {}

  static JsonNode of(Json schema) {
    return JsonMapper.shared().readTree(schema.text());
  }

  /// Writes the exact schema of each tool where LangChain4j put an empty one.
  static void fillTools(
      JsonNode tools,
      ChatRequest request,
      String wrapper,
      String field,
      UnaryOperator<JsonNode> as) {
    for (int i = 0; i < request.tools().size(); i++) {
      var tool = (ObjectNode) (wrapper.isEmpty() ? tools.get(i) : tools.get(i).get(wrapper));
      tool.set(field, as.apply(of(request.tools().get(i).parameters())));
    }
  }

  /// The `response_format` of OpenAI's protocol, which others speak too.
  static ObjectNode responseFormat(ResponseFormat.JsonSchema format) {
    var schema = of(format.schema());
    var inner = JsonMapper.shared().createObjectNode();
    inner.put("name", name(format.name()));
    inner.put("strict", isStrict(schema));
    inner.set("schema", schema);
    var outer = JsonMapper.shared().createObjectNode();
    outer.put("type", "json_schema");
    outer.set("json_schema", inner);
    return outer;
  }

  private static String name(String name) {
    var safe = name.replaceAll("[^A-Za-z0-9_-]", "_");
    if (safe.isEmpty()) return "answer";
    return safe.length() <= NAME_MAX ? safe : safe.substring(0, NAME_MAX);
  }

  /// Whether OpenAI's strict mode takes the schema: objects are closed and all of their properties
  /// required. A schema that breaks this would be an error there, so it goes without `strict`, as a
  /// strong hint.
  static boolean isStrict(JsonNode schema) {
    if (schema.isArray()) return schema.valueStream().allMatch(Schemas::isStrict);
    if (!schema.isObject()) return true;
    if (schema.has("oneOf") || schema.has("allOf") || schema.has("not")) return false;
    var properties = schema.path("properties");
    var isObject = properties.isObject() || "object".equals(schema.path("type").asString(""));
    if (isObject && !isClosed(schema, properties)) return false;
    return schema.propertyStream().allMatch(p -> isStrictPart(p.getKey(), p.getValue()));
  }

  // Under `properties` and `$defs` the keys are names, not keywords.
  private static boolean isStrictPart(String keyword, JsonNode part) {
    return switch (keyword) {
      case "properties", "$defs" -> part.valueStream().allMatch(Schemas::isStrict);
      case "items", "anyOf" -> isStrict(part);
      default -> true;
    };
  }

  private static boolean isClosed(JsonNode schema, JsonNode properties) {
    var closed = schema.path("additionalProperties");
    return closed.isBoolean()
        && !closed.booleanValue()
        && properties.size() == schema.path("required").size();
  }

  /// The schema without what Gemini refuses. A constant becomes an enum of one.
  static JsonNode forGemini(JsonNode schema) {
    if (!(schema instanceof ObjectNode object)) return schema;
    var out = JsonMapper.shared().createObjectNode();
    if (object.has("const")) out.putArray("enum").add(object.get("const"));
    for (var property : object.properties()) {
      if (GEMINI.contains(property.getKey())) {
        out.set(property.getKey(), geminiPart(property.getKey(), property.getValue()));
      }
    }
    return out;
  }

  private static JsonNode geminiPart(String keyword, JsonNode part) {
    var json = JsonMapper.shared();
    return switch (keyword) {
      case "properties", "$defs" -> {
        var out = json.createObjectNode();
        part.forEachEntry((name, schema) -> out.set(name, forGemini(schema)));
        yield out;
      }
      case "anyOf", "oneOf", "prefixItems" -> {
        var out = json.createArrayNode();
        part.forEach(schema -> out.add(forGemini(schema)));
        yield out;
      }
      case "items", "additionalProperties" -> forGemini(part);
      default -> part;
    };
  }
}
