package dev.superstep.a2a.internal;

import dev.superstep.json.Json;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON trees and the engine's JSON, each as the other.
public final class Trees {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Trees() {}

  /// The tree of a value.
  public static JsonNode of(Json json) {
    return MAPPER.readTree(json.text());
  }

  /// The tree of a text.
  ///
  /// @throws tools.jackson.core.JacksonException if it is no JSON
  public static JsonNode of(String text) {
    return MAPPER.readTree(text);
  }

  /// The value of a tree.
  public static Json json(JsonNode tree) {
    return Json.parse(text(tree));
  }

  /// The text of a tree.
  public static String text(JsonNode tree) {
    return MAPPER.writeValueAsString(tree);
  }

  /// An empty object.
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// Returns whether nothing is given.
  public static boolean isNone(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  /// The text parts of a message or an artifact, one after the other.
  public static String parts(JsonNode parts) {
    var text = new StringBuilder();
    for (var part : parts) {
      if (!part.path("text").isString()) continue;
      if (!text.isEmpty()) text.append('\n');
      text.append(part.path("text").stringValue());
    }
    return text.toString();
  }
}
