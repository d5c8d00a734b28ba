package dev.superstep.server.internal.wire;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.Usage;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Messages in the form that LangChain's clients know.
public final class MessageJson {
  /// The id with which clients remove all messages.
  public static final String ALL = "__remove_all__";

  private MessageJson() {}

  /// Returns the id of the message that is to be removed, if the JSON asks for that.
  public static Optional<String> removed(JsonNode json, String where) {
    if (!json.path("type").isString() || !json.path("type").stringValue().equals("remove")) {
      return Optional.empty();
    }
    return Optional.of(PlacedFields.required(json, "id", where));
  }

  /// Reads a message: an object with `type` or `role`, a string, or a pair of role and text.
  ///
  /// @param where names it in the failure
  /// @throws HttpFailure 422 that says what is wrong
  public static Message read(JsonNode json, String where) {
    if (json.isString()) return Message.user(json.stringValue());
    if (json.isArray() && json.size() == 2 && json.path(0).isString()) {
      var fields = Trees.object();
      fields.set("role", json.path(0));
      fields.set("content", json.path(1));
      return fields(fields, where);
    }
    if (!json.isObject())
      throw PlacedFields.failure(where, "must be a message: an object or a string");
    return json.path("lc").isNumber() ? constructed(json, where) : fields(json, where);
  }

  /// The form in which LangChain's own serialization names the class.
  private static Message constructed(JsonNode json, String where) {
    var path = json.path("id");
    var last = path.isArray() && !path.isEmpty() ? path.path(path.size() - 1) : path;
    var inner = json.path("kwargs");
    if (!last.isString() || !inner.isObject()) {
      throw PlacedFields.failure(where, "needs `id` and `kwargs` of a serialized message");
    }
    var fields = ((ObjectNode) inner).deepCopy();
    fields.put("type", last.stringValue().replaceFirst("Message(Chunk)?$", ""));
    return fields(fields, where);
  }

  private static Message fields(JsonNode json, String where) {
    var type =
        PlacedFields.either(json, "type", "role", where)
            .orElseThrow(() -> PlacedFields.failure(where, "needs the string `type` or `role`"));
    var id = PlacedFields.text(json, "id", where).orElse("");
    var content = ContentJson.read(json.path("content"), where + ".content");
    return switch (type.replaceFirst("Message(Chunk)?$", "")) {
      case "human", "Human", "user" -> new UserMessage(id, content);
      case "ai", "AI", "assistant" -> new AssistantMessage(id, content, calls(json, where));
      case "system", "System", "developer" -> new SystemMessage(id, Content.text(content));
      case "tool", "Tool" -> tool(json, id, content, where);
      default ->
          throw PlacedFields.failure(
              where, "has the unknown type `%s`; use human, ai, system or tool".formatted(type));
    };
  }

  private static ToolMessage tool(JsonNode json, String id, List<Content> content, String where) {
    var artifact = json.path("artifact");
    return new ToolMessage(
        id,
        PlacedFields.required(json, "tool_call_id", where),
        PlacedFields.text(json, "name", where).orElse(""),
        content,
        PlacedFields.text(json, "status", where).filter("error"::equals).isPresent(),
        !Fields.isNone(artifact)
            ? Optional.of(Trees.json(artifact, where + ".artifact"))
            : Optional.empty());
  }

  private static List<ToolCall> calls(JsonNode json, String where) {
    record Placed(int place, ToolCall call) {}
    var all = new ArrayList<Placed>();
    for (var name : List.of("tool_calls", "invalid_tool_calls")) {
      var calls = json.path(name);
      if (Fields.isNone(calls)) continue;
      if (!calls.isArray()) throw PlacedFields.failure(where + "." + name, "must be a list");
      for (var call : calls) {
        var at = where + "." + name + "[" + all.size() + "]";
        if (!call.isObject()) throw PlacedFields.failure(at, "must be an object");
        all.add(new Placed(call.path("index").asInt(all.size()), call(call, at)));
      }
    }
    all.sort(java.util.Comparator.comparingInt(Placed::place));
    return all.stream().map(Placed::call).toList();
  }

  private static ToolCall call(JsonNode json, String where) {
    // Vendors of one kind put the name and the arguments into an object of their own.
    var function = json.path("function");
    var from = function.isObject() ? function : json;
    var args = from.isObject() && from.has("args") ? from.path("args") : from.path("arguments");
    var text =
        args.isString()
            ? args.stringValue()
            : !Fields.isNone(args) ? Trees.json(args, where + ".args").text() : "";
    return new ToolCall(
        PlacedFields.text(json, "id", where).orElse(""),
        PlacedFields.text(from, "name", where).orElse(""),
        text,
        ContentJson.seal(json.path("extras").path("seal"), where + ".extras.seal"));
  }

  /// A whole message.
  public static ObjectNode write(Message message) {
    var json = Trees.object();
    json.set("content", ContentJson.write(message.content()));
    json.putObject("additional_kwargs");
    json.putObject("response_metadata");
    switch (message) {
      case UserMessage _ -> json.put("type", "human");
      case SystemMessage _ -> json.put("type", "system");
      case AssistantMessage reply -> {
        json.put("type", "ai");
        write(reply.calls(), json);
      }
      case ToolMessage answer -> {
        json.put("type", "tool").put("tool_call_id", answer.callId());
        if (!answer.tool().isEmpty()) json.put("name", answer.tool());
        json.put("status", answer.error() ? "error" : "success");
        answer.artifact().ifPresent(artifact -> json.set("artifact", Trees.of(artifact)));
      }
    }
    return json.put("id", message.id());
  }

  private static void write(List<ToolCall> calls, ObjectNode json) {
    var good = json.putArray("tool_calls");
    var bad = json.putArray("invalid_tool_calls");
    for (int i = 0; i < calls.size(); i++) {
      var call = calls.get(i);
      var args = object(call.arguments());
      var one = args.isPresent() ? good.addObject() : bad.addObject();
      one.put("name", call.tool());
      if (args.isPresent()) {
        one.set("args", args.get());
        one.put("id", call.id()).put("type", "tool_call");
      } else {
        one.put("args", call.arguments()).put("id", call.id());
        one.put("error", "The arguments are no JSON object.").put("type", "invalid_tool_call");
      }
      call.seal()
          .ifPresent(seal -> one.set("extras", Trees.object().set("seal", ContentJson.seal(seal))));
    }
    // The order is lost where there are both.
    if (!good.isEmpty() && !bad.isEmpty()) number(calls, good, bad);
  }

  private static void number(List<ToolCall> calls, JsonNode good, JsonNode bad) {
    int goods = 0;
    int bads = 0;
    for (int i = 0; i < calls.size(); i++) {
      boolean isGood = object(calls.get(i).arguments()).isPresent();
      var one = isGood ? good.path(goods++) : bad.path(bads++);
      ((ObjectNode) one).put("index", i);
    }
  }

  private static Optional<JsonNode> object(String arguments) {
    if (!arguments.stripLeading().startsWith("{")) return Optional.empty();
    try {
      return Optional.of(Trees.of(Json.parse(arguments)));
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  /// A piece of the text of a message that a model is saying.
  public static ObjectNode chunk(String id, String text) {
    var json = Trees.object().put("content", text);
    return bare(json, id);
  }

  /// A piece of a model's thoughts.
  public static ObjectNode thought(String id, String text) {
    var json = Trees.object();
    json.putArray("content")
        .addObject()
        .put("type", "reasoning")
        .put("reasoning", text)
        .put("index", 0);
    return bare(json, id);
  }

  private static ObjectNode bare(ObjectNode json, String id) {
    json.putObject("additional_kwargs");
    json.putObject("response_metadata");
    json.put("type", "AIMessageChunk").put("id", id);
    json.putArray("tool_calls");
    json.putArray("tool_call_chunks");
    json.putArray("invalid_tool_calls");
    return json;
  }

  /// The tool calls of a message whose text was told in pieces, as a last piece.
  public static ObjectNode calls(AssistantMessage message) {
    var json = chunk(message.id(), "");
    var chunks = json.putArray("tool_call_chunks");
    for (int i = 0; i < message.calls().size(); i++) {
      var call = message.calls().get(i);
      var one = chunks.addObject().put("name", call.tool()).put("args", call.arguments());
      one.put("id", call.id()).put("index", i).put("type", "tool_call_chunk");
    }
    write(message.calls(), json);
    return json;
  }

  /// The request to remove a message.
  public static ObjectNode removal(String id) {
    var json = Trees.object();
    json.set("content", JsonNodeFactory.instance.stringNode(""));
    return json.put("type", "remove").put("id", id);
  }

  /// The tokens that a model used, as messages of LangChain have them in `usage_metadata`.
  public static ObjectNode usage(Usage usage) {
    var json = Trees.object().put("input_tokens", usage.input());
    json.put("output_tokens", usage.output()).put("total_tokens", usage.total());
    json.putObject("input_token_details")
        .put("cache_read", usage.cachedInput())
        .put("cache_creation", usage.cacheWrite());
    json.putObject("output_token_details").put("reasoning", usage.reasoning());
    return json;
  }
}
