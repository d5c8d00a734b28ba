package dev.superstep.acp;

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

/// Reads and writes JSON texts within limits. Immutable.
final class Wire {
  private static final int NUMBER_MAX = 200;
  private static final JsonMapper MAPPER = new JsonMapper();

  private final JsonMapper reader;

  Wire(AcpLimits limits) {
    var constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(limits.depth())
            .maxStringLength(limits.messageBytes())
            .maxDocumentLength(limits.messageBytes())
            .maxNumberLength(NUMBER_MAX)
            .build();
    this.reader =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
            .build();
  }

  /// Reads a message, or returns null if it is no JSON or breaks a limit.
  @Nullable JsonNode read(String line) {
    try {
      return reader.readTree(line);
    } catch (JacksonException _) {
      return null;
    }
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// The text of a message, in one line.
  static String text(JsonNode node) {
    return whole(MAPPER.writeValueAsString(node));
  }

  static Json json(JsonNode node) {
    return Json.parse(text(node));
  }

  static JsonNode tree(Json json) {
    return MAPPER.readTree(json.text());
  }

  /// A text as a tree if it is JSON, else as a string.
  static JsonNode treeOrText(String text) {
    try {
      var tree = MAPPER.readTree(text);
      if (!tree.isMissingNode()) return tree;
    } catch (JacksonException _) {
      // A text like any other.
    }
    return JsonNodeFactory.instance.stringNode(whole(text));
  }

  /// The text of a field; empty if it has none.
  static String text(JsonNode node, String field) {
    var value = node.path(field);
    return value.isString() ? whole(value.stringValue()) : "";
  }

  /// Text without halves of pairs, which cannot be sent.
  static String whole(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /// The start of a text that is too long.
  static String cut(String text, int most) {
    return text.length() <= most ? whole(text) : whole(text.substring(0, most)) + "...";
  }
}
