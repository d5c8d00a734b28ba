package dev.superstep.terminal;

import dev.superstep.json.Json;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/// Takes secrets out of every text in a JSON value; names of fields stay.
final class RedactedJson {
  private static final JsonMapper JSON = JsonMapper.shared();

  private RedactedJson() {}

  static Json of(Json json, UnaryOperator<String> redact) {
    return Json.unchecked(node(JSON.readTree(json.text()), redact).toString());
  }

  private static JsonNode node(JsonNode node, UnaryOperator<String> redact) {
    var nodes = JsonNodeFactory.instance;
    if (node.isObject()) {
      var object = nodes.objectNode();
      for (var field : node.properties()) {
        object.set(field.getKey(), node(field.getValue(), redact));
      }
      return object;
    }
    if (node.isArray()) {
      var array = nodes.arrayNode();
      for (var item : node) array.add(node(item, redact));
      return array;
    }
    return node.isString() ? nodes.stringNode(redact.apply(node.asString())) : node;
  }
}
