package dev.superstep.agui;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Messages of AG-UI and those of a thread, each as the other.
final class ClientMessages {
  private ClientMessages() {}

  /// The messages that a thread does not have yet, in its form. Of clients count what users say; on
  /// a thread without messages also what assistants have said before, without tool calls, which
  /// would run otherwise.
  ///
  /// @param known those of the thread
  static ArrayNode added(List<JsonNode> messages, JsonNode known) {
    var all = JsonNodeFactory.instance.arrayNode();
    var ids = ids(known);
    for (var message : messages) {
      if (ids.contains(message.path("id").asString(""))) continue;
      var role = message.path("role").asString("");
      if (role.equals("user")) {
        add(message, "human", all);
      } else if (role.equals("assistant") && ids.isEmpty()) {
        if (!text(message.path("content")).isEmpty()) add(message, "ai", all);
      }
    }
    return all;
  }

  /// Returns whether a user says something new.
  static boolean hasNewText(List<JsonNode> messages, JsonNode known) {
    var ids = ids(known);
    for (var message : messages) {
      boolean isKnown = ids.contains(message.path("id").asString(""));
      if (!isKnown && message.path("role").asString("").equals("user")) return true;
    }
    return false;
  }

  private static Set<String> ids(JsonNode known) {
    var ids = new HashSet<String>();
    for (var message : known) ids.add(message.path("id").asString(""));
    return ids;
  }

  private static void add(JsonNode message, String type, ArrayNode all) {
    var one = all.addObject().put("type", type);
    one.set("id", message.path("id"));
    var content = message.path("content");
    if (content.isString()) {
      one.set("content", content);
      return;
    }
    var blocks = one.putArray("content");
    for (var part : content) block(part, blocks);
  }

  /// Leaves out parts that a model here cannot be given, such as a file of another vendor.
  private static void block(JsonNode part, ArrayNode blocks) {
    var type = part.path("type").asString("");
    if (type.equals("text")) {
      blocks.addObject().put("type", "text").put("text", part.path("text").asString(""));
      return;
    }
    var source = part.path("source");
    var value = source.path("value").asString("");
    var kind = source.path("type").asString("");
    if (value.isEmpty() || !Set.of("data", "url").contains(kind)) return;
    if (!Set.of("image", "audio", "video", "document").contains(type)) return;
    var block = blocks.addObject().put("type", type.equals("document") ? "file" : type);
    block.put(kind, value);
    if (source.path("mimeType").isString()) block.set("mimeType", source.path("mimeType"));
  }

  /// The text of the last message of the user; empty if there is none.
  static String lastOfUser(List<JsonNode> messages) {
    for (var message : messages.reversed()) {
      if (message.path("role").asString("").equals("user")) return text(message.path("content"));
    }
    return "";
  }

  /// The text of a content: a string, or the text parts of a list.
  static String text(JsonNode content) {
    if (content.isString()) return content.stringValue();
    var text = new StringBuilder();
    for (var part : content) {
      if (part.path("type").asString("").equals("text")) {
        text.append(part.path("text").asString(""));
      }
    }
    return text.toString();
  }

  /// The messages of a thread for a client, with those that only the client has. Instructions of
  /// the server are not shown.
  static ArrayNode snapshot(List<JsonNode> sent, JsonNode conversation) {
    var all = JsonNodeFactory.instance.arrayNode();
    var results = new HashMap<String, JsonNode>();
    for (var message : sent) {
      var role = message.path("role").asString("");
      if (role.equals("system") || role.equals("developer")) all.add(message);
      if (role.equals("tool")) results.put(message.path("toolCallId").asString(""), message);
    }
    for (var message : conversation) {
      switch (message.path("type").asString("")) {
        case "human" -> shown(message, "user", all).put("content", text(message.path("content")));
        case "ai" -> assistant(message, all);
        case "tool" -> {
          var one = shown(message, "tool", all).put("content", text(message.path("content")));
          one.set("toolCallId", message.path("tool_call_id"));
          // A result of the front end has the id that the client gave it.
          var own = results.get(message.path("tool_call_id").asString(""));
          if (own != null) one.set("id", own.path("id"));
          if (message.path("status").asString("").equals("error")) {
            one.put("error", text(message.path("content")));
          }
        }
        default -> {}
      }
    }
    return all;
  }

  private static ObjectNode shown(JsonNode message, String role, ArrayNode all) {
    return all.addObject().put("id", message.path("id").asString("")).put("role", role);
  }

  private static void assistant(JsonNode message, ArrayNode all) {
    var one = shown(message, "assistant", all);
    var text = text(message.path("content"));
    if (!text.isEmpty()) one.put("content", text);
    var calls = JsonNodeFactory.instance.arrayNode();
    for (var name : List.of("tool_calls", "invalid_tool_calls")) {
      for (var call : message.path(name)) {
        var shown = calls.addObject().put("id", call.path("id").asString(""));
        var function = shown.put("type", "function").putObject("function");
        function.put("name", call.path("name").asString(""));
        function.put("arguments", arguments(call.path("args")));
      }
    }
    if (!calls.isEmpty()) one.set("toolCalls", calls);
  }

  static String arguments(JsonNode args) {
    return args.isString() ? args.stringValue() : Trees.text(args);
  }
}
