package dev.superstep.mcp.internal.wire;

import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes the messages of a connection within its limits. Immutable.
public final class Wire {
  private static final int NUMBER_MAX = 200;
  private static final JsonMapper WRITER = new JsonMapper();

  private final JsonMapper reader;

  /// @param messageBytes of one message
  /// @param depth of its nesting
  public Wire(int messageBytes, int depth) {
    var constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(depth)
            .maxStringLength(messageBytes)
            .maxDocumentLength(messageBytes)
            .maxNumberLength(NUMBER_MAX)
            .build();
    this.reader =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
            .build();
  }

  /// Reads a message, or returns null if it is no JSON or breaks a limit.
  public @Nullable JsonNode read(String text) {
    try {
      return reader.readTree(text);
    } catch (JacksonException _) {
      return null;
    }
  }

  /// An empty object.
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// A list with one element.
  public static JsonNode list(JsonNode only) {
    return JsonNodeFactory.instance.arrayNode().add(only);
  }

  /// The text of a message, in one line.
  public static String write(JsonNode node) {
    // Half of a pair cannot be sent: it becomes a question mark.
    return whole(WRITER.writeValueAsString(node));
  }

  /// A tree as a value.
  public static Json json(JsonNode node) {
    return Json.parse(write(node));
  }

  /// A value as a tree.
  public static JsonNode tree(Json json) {
    return WRITER.readTree(json.text());
  }

  /// The text of a field, or an empty one.
  public static String text(JsonNode node, String field) {
    return whole(node.path(field).asString(""));
  }

  /// The beginning of a text that may be too long.
  public static String cut(String text, int most) {
    return text.length() <= most ? text : whole(text.substring(0, most)) + "...";
  }

  /// Text without halves of pairs.
  public static String whole(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
