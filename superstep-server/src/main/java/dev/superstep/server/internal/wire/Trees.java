package dev.superstep.server.internal.wire;

import dev.superstep.json.Json;
import dev.superstep.json.JsonLimit;
import dev.superstep.server.internal.http.HttpFailure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// JSON trees and the engine's JSON, each as the other.
public final class Trees {
  // Numbers stay as they are written.
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Trees() {}

  /// The tree of a value.
  public static JsonNode of(Json json) {
    return MAPPER.readTree(json.text());
  }

  /// The value of a tree from outside.
  ///
  /// @param where names it in the failure
  /// @throws HttpFailure 422 if the engine does not take it
  public static Json json(JsonNode tree, String where) {
    try {
      // A tree is proper JSON, so its text is not read again.
      var json = Json.unchecked(MAPPER.writeValueAsString(tree));
      var excess = JsonLimit.exceeded(json);
      if (excess.isEmpty()) return json;
      throw new HttpFailure(422, where + " is not usable as JSON: it has " + excess.get() + ".");
    } catch (JacksonException | StackOverflowError e) {
      throw new HttpFailure(422, where + " is not usable as JSON: " + e.getMessage());
    }
  }

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
