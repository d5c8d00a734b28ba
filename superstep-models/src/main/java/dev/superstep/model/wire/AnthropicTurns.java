package dev.superstep.model.wire;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatRequest;
import java.util.HashSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes a conversation as Anthropic wants it: turns alternate, and all results of a turn's tools
/// are in the one after it. Used once.
final class AnthropicTurns {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String VENDOR = "anthropic";
  private static final int CALL_ID_MAX = 128;

  private final ArrayNode messages;
  private final Protocol protocol;
  private final Endpoint endpoint;
  private String role = "";
  private ArrayNode blocks;
  private @Nullable String container;
  private FoundReferences references = FoundReferences.NONE;

  AnthropicTurns(ArrayNode messages, Protocol protocol, Endpoint endpoint) {
    this.messages = messages;
    this.protocol = protocol;
    this.endpoint = endpoint;
    this.blocks = JSON.createArrayNode();
  }

  void add(ChatRequest request) {
    references = FoundReferences.of(request);
    int place = 0;
    for (var message : request.messages()) {
      place++;
      add(message);
      if (place == request.prefix() && !(message instanceof SystemMessage)) {
        markCacheBoundary(request.cacheHint());
      }
    }
    if (messages.isEmpty())
      addTo("user").addObject().put("type", "text").put("text", Turns.NOTHING);
    trimEnd();
    if (request.cacheHint() != CacheHint.NONE) markEnd();
  }

  /// The container of the turn that goes on, if it has one.
  Optional<String> container() {
    return Optional.ofNullable(container);
  }

  private void add(Message message) {
    switch (message) {
      case SystemMessage _ -> {}
      case UserMessage user -> {
        endHosted();
        var to = addTo("user");
        int before = to.size();
        parts(to, user);
        if (to.size() == before) to.addObject().put("type", "text").put("text", Turns.NOTHING);
      }
      case AssistantMessage reply -> {
        if (reply.isEmpty() && !worksHosted(reply)) return;
        container = null;
        var to = addTo("assistant");
        parts(to, reply);
        for (var call : reply.calls()) {
          var block = to.addObject().put("type", "tool_use");
          block.put("id", Turns.callId(call.id(), CALL_ID_MAX));
          block.put("name", call.tool()).set("input", Turns.object(call.arguments()));
        }
      }
      case ToolMessage answer -> {
        var block = addTo("user").addObject().put("type", "tool_result");
        block.put("tool_use_id", Turns.callId(answer.callId(), CALL_ID_MAX));
        parts(block.putArray("content"), answer);
        if (answer.error()) block.put("is_error", true);
      }
    }
  }

  private ArrayNode addTo(String whose) {
    if (!role.equals(whose)) {
      role = whose;
      blocks = messages.addObject().put("role", whose).putArray("content");
    }
    return blocks;
  }

  private void markCacheBoundary(CacheHint hint) {
    var last = lastToMark();
    if (last != null) AnthropicMessages.markCached(last, hint);
  }

  // The conversation grows behind this mark, so that the next turn reads all before it from the
  // cache; it is replaced in every turn, for which the short time is enough.
  private void markEnd() {
    var last = lastToMark();
    if (last != null && !last.has("cache_control")) {
      AnthropicMessages.markCached(last, CacheHint.SHORT);
    }
  }

  /// The last block that may be marked: no thought, and nothing that the vendor sealed.
  private @Nullable ObjectNode lastToMark() {
    for (int i = blocks.size() - 1; i >= 0; i--) {
      var block = (ObjectNode) blocks.get(i);
      switch (block.path("type").asString("")) {
        case "text", "image", "document", "tool_use", "tool_result" -> {
          return block;
        }
        default -> {}
      }
    }
    return null;
  }

  /// Returns whether tools that run at Anthropic have a part in a message.
  private boolean worksHosted(AssistantMessage reply) {
    for (var part : reply.content()) {
      if (part instanceof Content.Extension(var seal)
          && seal.vendor().equals(VENDOR)
          && references.known(Turns.read(seal.data())).filter(AnthropicTurns::isHosted).isPresent())
        return true;
    }
    return false;
  }

  private static boolean isHosted(JsonNode block) {
    var type = block.path("type").asString("");
    return isHostedCall(type) || (type.endsWith("_tool_result") && block.has("tool_use_id"));
  }

  private static boolean isHostedCall(String type) {
    return type.equals("server_tool_use") || type.equals("mcp_tool_use");
  }

  // Once the user speaks, a turn that was paused does not go on: the API refuses its open calls.
  private void endHosted() {
    container = null;
    if (!role.equals("assistant")) return;
    var answered = new HashSet<String>();
    for (var block : blocks) answered.add(block.path("tool_use_id").asString(""));
    for (int i = blocks.size() - 1; i >= 0; i--) {
      var block = blocks.get(i);
      boolean isOpen = !answered.contains(block.path("id").asString(""));
      if (isOpen && isHostedCall(block.path("type").asString(""))) blocks.remove(i);
    }
    if (blocks.isEmpty()) blocks.addObject().put("type", "text").put("text", Turns.NOTHING);
  }

  // The API refuses an answer to go on with that ends in blanks. A turn that was paused goes back
  // as it is.
  private void trimEnd() {
    var end = last(blocks);
    if (role.equals("assistant") && end != null && isHosted(end)) return;
    if (role.equals("assistant") && !AnthropicModelRules.takesPrefill(endpoint.model())) {
      addTo("user").addObject().put("type", "text").put("text", "Continue.");
      return;
    }
    var last = last(blocks);
    if (role.equals("assistant") && last != null && last.path("text").isString()) {
      last.put("text", last.path("text").stringValue().stripTrailing());
    }
  }

  private static @Nullable ObjectNode last(ArrayNode of) {
    return of.isEmpty() ? null : (ObjectNode) of.get(of.size() - 1);
  }

  private void parts(ArrayNode to, Message message) {
    for (var part : message.content()) {
      switch (part) {
        case Content.Text(var text) -> text(to, text);
        case Content.Data(var json) -> text(to, json.text());
        case Content.Image(var type, var base64) ->
            to.addObject()
                .put("type", "image")
                .putObject("source")
                .put("type", "base64")
                .put("media_type", type)
                .put("data", base64);
        case Content.ImageLink(var url) ->
            to.addObject()
                .put("type", "image")
                .putObject("source")
                .put("type", "url")
                .put("url", url.toString());
        case Content.File file when Media.isPdf(file.mediaType()) -> {
          var block = to.addObject().put("type", "document");
          block
              .putObject("source")
              .put("type", "base64")
              .put("media_type", file.mediaType())
              .put("data", file.base64());
          if (!file.name().isBlank()) block.put("title", file.name());
        }
        case Content.File(var type, _, _) ->
            throw endpoint.refused(protocol.title(), Media.unknown(type));
        case Content.FileLink(var type, var url) when Media.isPdf(type) ->
            to.addObject()
                .put("type", "document")
                .putObject("source")
                .put("type", "url")
                .put("url", url.toString());
        case Content.FileLink(var type, _) ->
            throw endpoint.refused(protocol.title(), Media.unknown(type));
        case Content.Thinking(var text, var seal) ->
            Turns.sealed(seal, VENDOR).ifPresent(data -> thought(to, text, data));
        case Content.Extension(var seal) -> {
          if (seal.vendor().equals(VENDOR)) extension(to, Turns.read(seal.data()));
        }
      }
    }
  }

  private void extension(ArrayNode to, JsonNode data) {
    if (data.path("type").asString("").equals(AnthropicMessages.CONTAINER)) {
      container = data.path("id").asString();
    } else {
      references.known(data).ifPresent(to::add);
    }
  }

  private static void thought(ArrayNode to, String text, JsonNode data) {
    var block = to.addObject().put("type", "thinking").put("thinking", text);
    block.set("signature", data.path("signature"));
  }

  // Blank texts are refused.
  private static void text(ArrayNode to, String text) {
    if (!text.isBlank()) to.addObject().put("type", "text").put("text", text);
  }
}
