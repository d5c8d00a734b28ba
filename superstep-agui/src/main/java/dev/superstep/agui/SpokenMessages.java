package dev.superstep.agui;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The words of models: texts, thoughts and tool calls, and the tokens that they cost. Those of
/// graphs that run side by side are told at once, so each is found by its graph and node. For one
/// run and one thread.
final class SpokenMessages {
  private static final List<String> USAGE =
      List.of("inputTokens", "outputTokens", "totalTokens", "cachedInputTokens", "reasoningTokens");

  private final Map<String, Spoken> open = new LinkedHashMap<>();
  private final Map<String, ObjectNode> usage = new LinkedHashMap<>();
  private final Map<String, String> calls = new LinkedHashMap<>();
  private final Map<String, String> sayers = new HashMap<>();

  /// A message that is being said.
  private static final class Spoken {
    final String id;
    final String owner;
    final JsonNode metadata;
    boolean isText;
    String thought = "";
    int thoughts;

    Spoken(String id, String owner, JsonNode metadata) {
      this.id = id;
      this.owner = owner;
      this.metadata = metadata;
    }

    ObjectNode add(EventList events, String type) {
      return Subagents.owned(events.add(type), owner);
    }
  }

  /// An event of the channel `messages`.
  ///
  /// @param place the graph and the node that say it
  /// @param owner the subagent that says it; empty for the agent itself
  void of(String place, String owner, JsonNode data, EventList events) {
    var kind = data.path("event").asString("");
    if (kind.equals("message-start")) {
      close(place, events);
      // What people and instructions say, the client has or is not to have.
      if (!data.path("role").asString("").equals("ai")) return;
      if (!owner.isEmpty()) sayers.put(data.path("id").asString(""), owner);
      open.put(place, new Spoken(data.path("id").asString(""), owner, data.path("metadata")));
      return;
    }
    var spoken = open.get(place);
    if (spoken == null) return;
    switch (kind) {
      case "content-block-delta" -> delta(spoken, data.path("delta"), events);
      case "content-block-finish" -> finished(spoken, data.path("content"), events);
      case "message-finish" -> {
        count(spoken.metadata, data.path("usage"));
        close(place, events);
      }
      case "error" -> close(place, events);
      default -> {}
    }
  }

  private static void delta(Spoken spoken, JsonNode delta, EventList events) {
    switch (delta.path("type").asString("")) {
      case "text-delta" -> {
        endThought(spoken, events);
        if (!spoken.isText) {
          spoken
              .add(events, "TEXT_MESSAGE_START")
              .put("messageId", spoken.id)
              .put("role", "assistant");
          spoken.isText = true;
        }
        var content = spoken.add(events, "TEXT_MESSAGE_CONTENT").put("messageId", spoken.id);
        content.put("delta", delta.path("text").asString(""));
      }
      case "reasoning-delta" -> {
        if (spoken.thought.isEmpty()) {
          spoken.thought = spoken.id + ":thought-" + ++spoken.thoughts;
          spoken.add(events, "REASONING_START").put("messageId", spoken.thought);
          var start =
              spoken.add(events, "REASONING_MESSAGE_START").put("messageId", spoken.thought);
          start.put("role", "reasoning");
        }
        var content =
            spoken.add(events, "REASONING_MESSAGE_CONTENT").put("messageId", spoken.thought);
        content.put("delta", delta.path("reasoning").asString(""));
      }
      default -> {}
    }
  }

  private void finished(Spoken spoken, JsonNode block, EventList events) {
    switch (block.path("type").asString("")) {
      case "reasoning" -> endThought(spoken, events);
      case "tool_call", "invalid_tool_call" -> {
        endThought(spoken, events);
        endText(spoken, events);
        var id = block.path("id").asString("");
        if (id.isEmpty() || calls.putIfAbsent(id, spoken.owner) != null) return;
        var start = spoken.add(events, "TOOL_CALL_START").put("toolCallId", id);
        start.set("toolCallName", block.path("name"));
        start.put("parentMessageId", spoken.id);
        var args = spoken.add(events, "TOOL_CALL_ARGS").put("toolCallId", id);
        args.put("delta", ClientMessages.arguments(block.path("args")));
        spoken.add(events, "TOOL_CALL_END").put("toolCallId", id);
      }
      default -> {}
    }
  }

  private static void endText(Spoken spoken, EventList events) {
    if (spoken.isText) spoken.add(events, "TEXT_MESSAGE_END").put("messageId", spoken.id);
    spoken.isText = false;
  }

  private static void endThought(Spoken spoken, EventList events) {
    if (spoken.thought.isEmpty()) return;
    spoken.add(events, "REASONING_MESSAGE_END").put("messageId", spoken.thought);
    spoken.add(events, "REASONING_END").put("messageId", spoken.thought);
    spoken.thought = "";
  }

  private void close(String place, EventList events) {
    var spoken = open.remove(place);
    if (spoken == null) return;
    endThought(spoken, events);
    endText(spoken, events);
  }

  /// Ends all that is open.
  void closeAll(EventList events) {
    for (var place : new ArrayList<>(open.keySet())) close(place, events);
  }

  /// The ids of the tool calls that were told.
  Iterable<String> calls() {
    return calls.keySet();
  }

  /// The subagent that made a call; empty for the agent itself, and for a call that was not told.
  String owner(String call) {
    return calls.getOrDefault(call, "");
  }

  /// The subagent that said a message; empty for the agent itself.
  String sayer(String message) {
    return sayers.getOrDefault(message, "");
  }

  /// Ends what a subagent has open.
  void closeOf(String owner, EventList events) {
    for (var place : new ArrayList<>(open.entrySet())) {
      if (place.getValue().owner.equals(owner)) close(place.getKey(), events);
    }
  }

  boolean hasCall(String id) {
    return calls.containsKey(id);
  }

  private void count(JsonNode metadata, JsonNode tokens) {
    if (!tokens.isObject()) return;
    var provider = metadata.path("provider").asString("");
    var model = metadata.path("model").asString("");
    var sum = usage.computeIfAbsent(provider + "/" + model, _ -> entry(provider, model));
    var counts =
        List.of(
            tokens.path("input_tokens"),
            tokens.path("output_tokens"),
            tokens.path("total_tokens"),
            tokens.path("input_token_details").path("cache_read"),
            tokens.path("output_token_details").path("reasoning"));
    for (int i = 0; i < counts.size(); i++) {
      var name = USAGE.get(i);
      sum.put(name, sum.path(name).asLong(0) + counts.get(i).asLong(0));
    }
  }

  private static ObjectNode entry(String provider, String model) {
    var json = Trees.object();
    if (!provider.isEmpty()) json.put("provider", provider);
    if (!model.isEmpty()) json.put("model", model);
    return json;
  }

  /// The tokens by provider and model.
  ArrayNode usage() {
    var all = JsonNodeFactory.instance.arrayNode();
    usage.values().forEach(all::add);
    return all;
  }
}
