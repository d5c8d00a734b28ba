package dev.superstep.server.internal.wire.stream;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.server.internal.wire.MessageJson;
import dev.superstep.server.internal.wire.Trees;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A message that is told block by block: begun, its blocks one after the other, and its end. For
/// one message and one thread.
final class SpokenMessage {
  private static final String METHOD = "messages";
  private static final String TEXT = "text";
  private static final String REASONING = "reasoning";

  private final String node;
  private final ProtocolEventList.Namespace at;
  private int index;
  private String open = "";
  private StringBuilder content = new StringBuilder();
  private Optional<ObjectNode> usage = Optional.empty();

  /// @param node that it comes from
  /// @param at the namespace of the graph that it comes from
  SpokenMessage(String node, ProtocolEventList.Namespace at) {
    this.node = node;
    this.at = at;
  }

  /// Tells that it begins.
  ///
  /// @param metadata where in the run it is said, and by which model if that is known
  void start(String role, String id, ObjectNode metadata, ProtocolEventList events) {
    var data = Trees.object().put("event", "message-start").put("role", role).put("id", id);
    data.set("metadata", metadata);
    add(data, events);
  }

  void text(String piece, ProtocolEventList events) {
    said(TEXT, piece, events);
  }

  void thought(String piece, ProtocolEventList events) {
    said(REASONING, piece, events);
  }

  /// Sets the tokens that it cost.
  void usage(ObjectNode tokens) {
    usage = Optional.of(tokens);
  }

  private void said(String kind, String piece, ProtocolEventList events) {
    if (!open.equals(kind)) {
      close(events);
      open = kind;
      begin(Trees.object().put("type", kind).put(kind, ""), events);
    }
    content.append(piece);
    delta(Trees.object().put("type", kind + "-delta").put(kind, piece), events);
  }

  private void close(ProtocolEventList events) {
    if (open.isEmpty()) return;
    finish(Trees.object().put("type", open).put(open, content.toString()), events);
    open = "";
    content = new StringBuilder();
  }

  /// Tells what is missing of a whole message, and its end.
  ///
  /// @param isSaid whether its content was told in pieces
  void complete(Message whole, boolean isSaid, ProtocolEventList events) {
    if (!isSaid) content(MessageJson.write(whole).path("content"), events);
    close(events);
    if (whole instanceof AssistantMessage reply) {
      for (var call : reply.calls()) call(call, events);
    }
    end(events);
  }

  private void content(JsonNode whole, ProtocolEventList events) {
    if (whole.isString()) {
      if (!whole.stringValue().isEmpty()) text(whole.stringValue(), events);
      return;
    }
    for (var block : whole) {
      switch (block.path("type").asString("")) {
        case TEXT -> text(block.path(TEXT).asString(""), events);
        case REASONING -> thought(block.path(REASONING).asString(""), events);
        case "image", "audio", "video", "file" -> media(block, events);
        default -> other(block, events);
      }
      close(events);
    }
  }

  private void media(JsonNode block, ProtocolEventList events) {
    close(events);
    var shown = Trees.object();
    shown.set("type", block.path("type"));
    if (block.has("mimeType")) shown.set("mime_type", block.path("mimeType"));
    if (block.has("url")) shown.set("url", block.path("url"));
    begin(shown, events);
    var whole = shown.deepCopy();
    if (block.has("data")) {
      var piece = Trees.object().put("type", "data-delta").put("encoding", "base64");
      piece.set("data", block.path("data"));
      delta(piece, events);
      whole.set("base64", block.path("data"));
    }
    finish(whole, events);
  }

  private void other(JsonNode block, ProtocolEventList events) {
    close(events);
    var shown = block.deepCopy();
    if (!block.path("type").asString("").equals("non_standard")) {
      shown = Trees.object().put("type", "non_standard").set("value", block.deepCopy());
    }
    begin(shown, events);
    finish(shown, events);
  }

  private void call(ToolCall call, ProtocolEventList events) {
    var piece = Trees.object().put("type", "tool_call_chunk").put("id", call.id());
    begin(piece.put("name", call.tool()).put("args", ""), events);
    if (!call.arguments().isEmpty()) {
      delta(Trees.object().put("type", "tool-call-delta").put("args", call.arguments()), events);
    }
    var whole = Trees.object().put("id", call.id()).put("name", call.tool());
    var arguments = ToolFrames.arguments(call.arguments());
    if (arguments.isObject()) {
      whole.put("type", "tool_call").set("args", arguments);
    } else {
      whole.put("type", "invalid_tool_call").put("args", call.arguments());
      whole.put("error", "The arguments are no JSON object.");
    }
    finish(whole, events);
  }

  /// Tells that it has ended with what was said.
  void end(ProtocolEventList events) {
    close(events);
    var data = Trees.object().put("event", "message-finish");
    usage.ifPresent(tokens -> data.set("usage", tokens));
    add(data, events);
  }

  /// Tells that what was said of it is void.
  void fail(String why, ProtocolEventList events) {
    add(Trees.object().put("event", "error").put("message", why), events);
  }

  private void begin(JsonNode block, ProtocolEventList events) {
    var data = Trees.object().put("event", "content-block-start").put("index", index);
    data.set("content", block);
    add(data, events);
  }

  private void delta(JsonNode piece, ProtocolEventList events) {
    var data = Trees.object().put("event", "content-block-delta").put("index", index);
    data.set("delta", piece);
    add(data, events);
  }

  private void finish(JsonNode block, ProtocolEventList events) {
    var data = Trees.object().put("event", "content-block-finish").put("index", index++);
    data.set("content", block);
    add(data, events);
  }

  private void add(ObjectNode data, ProtocolEventList events) {
    events.add(at, METHOD, node, data);
  }
}
