package dev.superstep.agui;

import dev.superstep.json.Json;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON trees and the engine's JSON, each as the other.
final class Trees {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Trees() {}

  static JsonNode of(Json json) {
    return MAPPER.readTree(json.text());
  }

  static JsonNode of(String text) {
    return MAPPER.readTree(text);
  }

  static Json json(JsonNode tree) {
    return Json.unchecked(text(tree));
  }

  static String text(JsonNode tree) {
    return MAPPER.writeValueAsString(tree);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static boolean isNone(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }
}
