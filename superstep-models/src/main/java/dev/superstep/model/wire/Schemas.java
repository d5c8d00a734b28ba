package dev.superstep.model.wire;

import dev.superstep.json.Json;
import dev.superstep.model.ResponseFormat;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
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

  /// The keywords of Anthropic's grammars. Limits of numbers and texts are not among them, and are
  /// left out.
  private static final Set<String> ANTHROPIC =
      Set.of(
          "$defs",
          "$ref",
          "type",
          "title",
          "description",
          "enum",
          "const",
          "items",
          "anyOf",
          "allOf",
          "properties",
          "additionalProperties",
          "required");

  private Schemas() {}

  static JsonNode of(Json schema) {
    return JsonMapper.shared().readTree(schema.text());
  }

  /// Returns a schema as an instruction, for models that cannot be constrained to one.
  static String asPrompt(Json schema) {
    return "Your answer must be exactly one JSON value that the JSON Schema below accepts:"
        + " no text before or after it, no code fence.\n\n"
        + schema.text();
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

  /// Returns whether OpenAI's strict mode accepts the schema: objects must be closed and all their
  /// properties required. Other schemas would be refused there, so they are sent without `strict`,
  /// as a strong hint.
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
    return withKeywords(schema, GEMINI);
  }

  private static JsonNode withKeywords(JsonNode schema, Set<String> keywords) {
    if (!(schema instanceof ObjectNode object)) return schema;
    var out = JsonMapper.shared().createObjectNode();
    if (object.has("const") && !keywords.contains("const")) {
      out.putArray("enum").add(object.get("const"));
    }
    for (var property : object.properties()) {
      if (keywords.contains(property.getKey())) {
        out.set(property.getKey(), part(property.getKey(), property.getValue(), keywords));
      }
    }
    return out;
  }

  private static JsonNode part(String keyword, JsonNode part, Set<String> keywords) {
    var json = JsonMapper.shared();
    return switch (keyword) {
      case "properties", "$defs" -> {
        var out = json.createObjectNode();
        part.forEachEntry((name, schema) -> out.set(name, withKeywords(schema, keywords)));
        yield out;
      }
      case "anyOf", "oneOf", "allOf", "prefixItems" -> {
        var out = json.createArrayNode();
        part.forEach(schema -> out.add(withKeywords(schema, keywords)));
        yield out;
      }
      case "items", "additionalProperties" -> withKeywords(part, keywords);
      default -> part;
    };
  }

  /// The schema as Anthropic's grammars take it; none if it says what they cannot: objects that are
  /// open, values that hold themselves, and other combinations.
  static Optional<JsonNode> forAnthropic(JsonNode schema) {
    var definitions = schema.path("$defs");
    boolean isFlat =
        definitions.propertyStream().noneMatch(d -> reaches(d.getValue(), d.getKey(), definitions));
    return isFlat && fits(schema) ? Optional.of(withKeywords(schema, ANTHROPIC)) : Optional.empty();
  }

  private static boolean fits(JsonNode schema) {
    if (schema.isArray()) return schema.valueStream().allMatch(Schemas::fits);
    if (!schema.isObject()) return true;
    var isOdd = schema.has("oneOf") || schema.has("not") || schema.has("prefixItems");
    if (isOdd || "#".equals(schema.path("$ref").asString(""))) return false;
    var isObject = schema.has("properties") || "object".equals(schema.path("type").asString(""));
    var closed = schema.path("additionalProperties");
    if (isObject && !(closed.isBoolean() && !closed.booleanValue())) return false;
    return schema
        .propertyStream()
        .allMatch(p ->
            switch (p.getKey()) {
              case "properties", "$defs" -> p.getValue().valueStream().allMatch(Schemas::fits);
              case "items", "anyOf", "allOf" -> fits(p.getValue());
              default -> true;
            });
  }

  private static boolean reaches(JsonNode from, String name, JsonNode definitions) {
    return reaches(from, name, definitions, new HashSet<>());
  }

  private static boolean reaches(
      JsonNode from, String name, JsonNode definitions, Set<String> seen) {
    for (var reference : from.findValuesAsString("$ref")) {
      var next = reference.substring(reference.lastIndexOf('/') + 1);
      if (next.equals(name)) return true;
      if (seen.add(next) && reaches(definitions.path(next), name, definitions, seen)) return true;
    }
    return false;
  }
}
