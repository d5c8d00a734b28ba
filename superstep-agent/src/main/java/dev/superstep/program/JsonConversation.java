package dev.superstep.program;

import dev.superstep.json.Json;
import dev.superstep.message.Message;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads conversations that clients send as JSON.
final class JsonConversation {
  static final Json SCHEMA =
      Json.parse(
          """
          {"type": "object", "required": ["messages"],
           "properties": {"messages": {"type": "array", "minItems": 1, "items":
             {"type": "object", "required": ["role", "content"],
              "properties": {
                "role": {"enum": ["user", "assistant", "system"]},
                "content": {"type": "string"}}}}}}
          """);

  private static final int MESSAGES_MAX = 1_000;
  private static final JsonMapper JSON = new JsonMapper();

  private JsonConversation() {}

  /// @throws UnusableInput that says what is wrong
  static List<Message> read(Json value) throws UnusableInput {
    var tree = JSON.readTree(value.text());
    if (tree.isString()) return List.of(message(tree, "The input"));
    if (tree.path("input").isString()) {
      return List.of(message(tree.path("input"), "Field `input`"));
    }
    var list = tree.path("messages");
    if (!list.isArray() || list.isEmpty()) {
      throw new UnusableInput(
          "The input must be a text, {\"input\": \"a text\"}, or {\"messages\": [...]} with at"
              + " least one message.");
    }
    if (list.size() > MESSAGES_MAX) {
      throw new UnusableInput(
          "Field `messages` has more than %,d messages.".formatted(MESSAGES_MAX));
    }
    var messages = new ArrayList<Message>();
    for (int i = 0; i < list.size(); i++) {
      messages.add(message(list.get(i), "Field `messages[" + i + "]`"));
    }
    return messages;
  }

  private static Message message(JsonNode one, String where) throws UnusableInput {
    var content = one.isString() ? one : one.path("content");
    if (!content.isString() || content.asString().isBlank()) {
      throw new UnusableInput(where + " must be a text, or an object with a text as `content`.");
    }
    var text = content.asString().strip();
    var role = one.isString() ? "user" : one.path("role").asString(one.path("type").asString(""));
    return switch (role) {
      case "user", "human" -> Message.user(text);
      case "assistant", "ai" -> Message.assistant(text);
      case "system" -> Message.system(text);
      default ->
          throw new UnusableInput(
              where + " has the role `" + role + "`; give it user, assistant or system.");
    };
  }
}
