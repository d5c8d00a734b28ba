package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.graph.ServedGraph;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The input of a graph that a message gives: a message of its conversation, or its fields.
record MessageInput(ServedGraph graph) {
  private static final String MESSAGES = "messages";

  /// @throws RpcError if a part has no content
  ObjectNode of(JsonNode message) {
    var given = Trees.object();
    var parts = message.path("parts");
    var conversation = conversation();
    if (!conversation.isEmpty()) {
      var said = given.putArray(conversation).addObject().put("type", "human");
      said.set("id", message.path("messageId"));
      content(parts, said.putArray("content"));
      return given;
    }
    for (var part : parts) {
      if (part.path("data") instanceof ObjectNode data) given.setAll(data);
    }
    var field = textField();
    if (given.isEmpty() && !field.isEmpty()) given.put(field, Trees.parts(parts));
    return given;
  }

  /// The name under which the input has messages; empty if it has none.
  private String conversation() {
    var name = graph.conversation().orElse("");
    if (graph.input().isEmpty()) return name;
    // An input of another form takes messages by this name.
    boolean hasMessages = graph.schema().isEmpty() || properties().has(MESSAGES);
    return hasMessages ? (name.isEmpty() ? MESSAGES : name) : "";
  }

  private JsonNode properties() {
    return graph.schema().map(Trees::of).orElseGet(Trees::object).path("properties");
  }

  /// The only field of the input, if it is a text; empty otherwise.
  private String textField() {
    if (properties().size() != 1) return "";
    var only = properties().properties().iterator().next();
    return only.getValue().path("type").asString("").equals("string") ? only.getKey() : "";
  }

  private static void content(JsonNode parts, ArrayNode blocks) {
    for (var part : parts) {
      var type = part.path("mediaType").asString("");
      if (part.path("text").isString()) {
        blocks.addObject().put("type", "text").set("text", part.path("text"));
      } else if (part.has("data")) {
        blocks.addObject().put("type", "text").put("text", Trees.text(part.path("data")));
      } else if (part.path("url").isString() || part.path("raw").isString()) {
        var block = blocks.addObject().put("type", kind(type));
        if (part.has("url")) block.set("url", part.path("url"));
        else block.set("data", part.path("raw"));
        if (!type.isEmpty()) block.put("mimeType", type);
      } else {
        throw RpcError.content("A part has none of `text`, `data`, `url` and `raw`.");
      }
    }
  }

  private static String kind(String mediaType) {
    for (var kind : new String[] {"image", "audio", "video"}) {
      if (mediaType.startsWith(kind + "/")) return kind;
    }
    return "file";
  }
}
