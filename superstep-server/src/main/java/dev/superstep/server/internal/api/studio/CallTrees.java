package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Calls of tools as JSON, found in the conversations of a state: what a tool was asked, and what
/// it answered.
final class CallTrees {
  /// What a page shows of a text at most; the rest is in the state.
  private static final int TEXT_MOST = 200_000;

  private CallTrees() {}

  /// The newest call of an id, if a channel of the state holds it.
  static Optional<ObjectNode> find(SavedThread state, String call) {
    // Most of a conversation has nothing to do with it, and need not be read.
    var mark = Json.string(call).text();
    return state.saved().channels().stream()
        .flatMap(channel -> in(items(channel.content(), mark), call).stream())
        .findFirst();
  }

  private static List<JsonNode> items(Content content, String mark) {
    return switch (content) {
      case Content.Items(var items) ->
          items.stream()
              .filter(item -> item.text().contains(mark))
              .map(StudioReplies::tree)
              .toList();
      case Content.Whole(var value) ->
          value.text().startsWith("[") && value.text().contains(mark)
              ? StudioReplies.tree(value).valueStream().toList()
              : List.of();
      case Content.Cleared() -> List.of();
    };
  }

  private static Optional<ObjectNode> in(List<JsonNode> items, String call) {
    for (int i = items.size() - 1; i >= 0; i--) {
      for (var one : items.get(i).path("calls")) {
        if (!one.path("id").asString("").equals(call)) continue;
        var answer =
            items.subList(i + 1, items.size()).stream()
                .filter(later -> later.path("callId").asString("").equals(call))
                .findFirst();
        return Optional.of(tree(one, answer));
      }
    }
    return Optional.empty();
  }

  private static ObjectNode tree(JsonNode call, Optional<JsonNode> answer) {
    var tree = StudioReplies.object();
    tree.put("call", call.path("id").asString(""));
    tree.put("tool", call.path("tool").asString(""));
    put(tree, "arguments", call.path("arguments").asString(""));
    answer.ifPresent(told -> {
      put(tree, "result", text(told.path("content")));
      tree.put("failed", told.path("error").asBoolean(false));
    });
    return tree;
  }

  private static void put(ObjectNode tree, String field, String text) {
    tree.put(field, text.length() <= TEXT_MOST ? text : text.substring(0, TEXT_MOST));
    if (text.length() > TEXT_MOST) tree.put(field + "_length", text.length());
  }

  /// The text of a content; parts that are no text are named.
  private static String text(JsonNode content) {
    if (content.isString()) return content.stringValue();
    var parts = new ArrayList<String>();
    for (var part : content) {
      var type = part.path("type").asString("?");
      parts.add(part.path("text").asString("[" + type + "]"));
    }
    return String.join("\n", parts);
  }
}
