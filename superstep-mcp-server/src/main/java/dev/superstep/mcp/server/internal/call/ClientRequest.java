package dev.superstep.mcp.server.internal.call;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.content.ClientQuestions;
import dev.superstep.mcp.server.content.ClientRoots;
import dev.superstep.mcp.server.content.ModelReply;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import java.util.ArrayList;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A request that the client itself answers: for its model, or for its folders. Immutable.
///
/// @param method of the request
/// @param capability that a client with this ability declares
/// @param params of the request
/// @param answer the shape of the answer, for who gives it by a tool
public record ClientRequest(
    String method, String capability, ObjectNode params, ObjectNode answer) {
  private static final int ROOTS_MAX = 1_000;
  private static final int TEXT_MAX = 1_000_000;

  private static final String MODEL_ANSWER =
      """
      {"type": "object", "required": ["content"], "properties":
        {"content": {"description": "A part with type text and the answer as text."}}}
      """;
  private static final String ROOTS_ANSWER =
      """
      {"type": "object", "required": ["roots"], "properties": {"roots": {"type": "array", "items":
        {"type": "object", "required": ["uri"], "properties":
          {"uri": {"type": "string"}, "name": {"type": "string"}}}}}}
      """;

  static Optional<ClientRequest> of(Interrupt asked) {
    var name = asked.question();
    if (name.equals(ClientQuestions.MODEL.name())) return Optional.of(model(asked));
    if (name.equals(ClientQuestions.ROOTS.name())) {
      return Optional.of(
          new ClientRequest("roots/list", "roots", Wire.object(), parsed(ROOTS_ANSWER)));
    }
    return Optional.empty();
  }

  private static ClientRequest model(Interrupt asked) {
    var request = ClientQuestions.MODEL.read(asked);
    var params = Wire.object().put("maxTokens", request.maxTokens());
    if (!request.instructions().isEmpty()) {
      params.put("systemPrompt", Wire.whole(request.instructions()));
    }
    var message = params.putArray("messages").addObject().put("role", "user");
    message.set("content", ContentJson.text(request.text()));
    return new ClientRequest("sampling/createMessage", "sampling", params, parsed(MODEL_ANSWER));
  }

  private static ObjectNode parsed(String text) {
    return (ObjectNode) Wire.tree(Json.parse(text));
  }

  /// The request as one among the requests of a result.
  public ObjectNode asked() {
    var json = Wire.object().put("method", method);
    json.set("params", params.deepCopy());
    return json;
  }

  /// The answer that the reply of the client gives.
  Json read(JsonNode reply) {
    return capability.equals("roots") ? roots(reply) : reply(reply);
  }

  private static Json reply(JsonNode reply) {
    var text = new StringBuilder();
    var content = reply.path("content");
    if (content.isObject()) text.append(Wire.text(content, "text"));
    for (var part : content.isArray() ? content : Wire.object()) {
      if (text.length() < TEXT_MAX) text.append(Wire.text(part, "text"));
    }
    if (text.length() > TEXT_MAX) text.setLength(TEXT_MAX);
    return ClientQuestions.MODEL
        .answer()
        .encode(
            new ModelReply(
                Wire.whole(text.toString()),
                Wire.text(reply, "model"),
                Wire.text(reply, "stopReason")));
  }

  private static Json roots(JsonNode reply) {
    var all = new ArrayList<ClientRoots.Root>();
    for (var one : reply.path("roots")) {
      if (all.size() < ROOTS_MAX) {
        all.add(new ClientRoots.Root(Wire.text(one, "uri"), Wire.text(one, "name")));
      }
    }
    return ClientQuestions.ROOTS.answer().encode(new ClientRoots(all));
  }
}
