package dev.superstep.model;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import java.util.ArrayList;
import java.util.List;

/// The parts of a prompt in the order in which vendors read them, each with the SHA-256 of its
/// bytes. Vendors keep prompts by their beginnings: two requests share what is kept exactly as far
/// as their segments are equal. Immutable.
///
/// @param segments tools and the form of the answer first, then the leading messages of the prefix;
///   what follows the prefix is one segment
public record PromptLayout(List<Segment> segments) {
  private static final Codec<List<Content>> PARTS = Codec.listOf(Content.class);
  private static final Codec<List<ToolCall>> CALLS = Codec.listOf(ToolCall.class);

  /// The behaviour of a part from turn to turn.
  public enum Role {
    /// Equal in every turn.
    STABLE_PREFIX,
    /// Differs from turn to turn.
    VOLATILE_TAIL
  }

  /// A part of a prompt.
  ///
  /// @param id `tools`, `format`, the id of a system message, or the place of a message
  public record Segment(String id, Role role, String fingerprint) {}

  public PromptLayout {
    segments = List.copyOf(segments);
  }

  /// The layout of a request.
  public static PromptLayout of(ChatRequest request) {
    var segments = new ArrayList<Segment>(request.prefix() + 3);
    var tools = new StringBuilder();
    for (var tool : request.tools()) {
      quote(tools, tool.name(), tool.description(), tool.parameters().text());
      if (request.isDeferred(tool)) quote(tools, "deferred");
    }
    segments.add(new Segment("tools", Role.STABLE_PREFIX, Digests.sha256(tools.toString())));
    if (request.format() instanceof ResponseFormat.JsonSchema(var name, var schema)) {
      var text = Digests.sha256(name + " " + schema.text());
      segments.add(new Segment("format", Role.STABLE_PREFIX, text));
    }
    var messages = request.messages();
    for (int i = 0; i < request.prefix(); i++) {
      var text = new StringBuilder();
      bytes(text, messages.get(i));
      segments.add(
          new Segment(id(messages.get(i), i), Role.STABLE_PREFIX, Digests.sha256(text.toString())));
    }
    var tail = new StringBuilder();
    for (var message : messages.subList(request.prefix(), messages.size())) bytes(tail, message);
    segments.add(new Segment("tail", Role.VOLATILE_TAIL, Digests.sha256(tail.toString())));
    return new PromptLayout(segments);
  }

  /// The fingerprint of the stable prefix as a whole.
  public static String prefixOf(ChatRequest request) {
    return PromptLayout.of(request.withMessages(head(request))).prefix();
  }

  private static List<Message> head(ChatRequest request) {
    return request.messages().subList(0, Math.max(1, request.prefix()));
  }

  /// The fingerprint of the stable prefix as a whole.
  public String prefix() {
    var all = new StringBuilder();
    for (var segment : segments) {
      if (segment.role() == Role.STABLE_PREFIX) quote(all, segment.id(), segment.fingerprint());
    }
    return Digests.sha256(all.toString());
  }

  private static String id(Message message, int place) {
    return message instanceof SystemMessage(var id, _) && !id.isEmpty() ? id : "message " + place;
  }

  private static void bytes(StringBuilder to, Message message) {
    var parts = PARTS.encode(message.content()).text();
    switch (message) {
      case SystemMessage _ -> quote(to, "system", parts);
      case UserMessage _ -> quote(to, "user", parts);
      case AssistantMessage reply ->
          quote(to, "assistant", parts, CALLS.encode(reply.calls()).text());
      case ToolMessage answer ->
          quote(to, "tool", answer.callId(), answer.tool(), "" + answer.error(), parts);
    }
  }

  private static void quote(StringBuilder to, String... texts) {
    for (var text : texts) to.append(Json.string(text).text()).append('\n');
  }
}
