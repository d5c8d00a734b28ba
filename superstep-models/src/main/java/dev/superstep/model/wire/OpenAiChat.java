package dev.superstep.model.wire;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/// OpenAI's chat completions, spoken by OpenAI, by Mistral and by most model servers.
///
/// @param title the vendor's name
/// @param dialect what differs between those who speak it
public record OpenAiChat(String title, Dialect dialect) implements Protocol {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Set<String> RESERVED =
      Set.of(
          "model",
          "messages",
          "tools",
          "tool_choice",
          "response_format",
          "temperature",
          "top_p",
          "stop",
          "seed",
          "random_seed",
          "max_tokens",
          "max_completion_tokens",
          "reasoning_effort",
          "stream",
          "stream_options");

  /// The differences between the vendors that speak this protocol.
  ///
  /// @param limit the field for the token limit: OpenAI's newer models refuse `max_tokens`; others
  ///   know nothing else
  /// @param seed the field for the seed, which Mistral limits to 31 bits
  /// @param required the word for "call some tool"
  /// @param effort whether the effort may be sent; Mistral refuses fields that it does not know
  /// @param tags whether texts may begin with thoughts between tags
  public record Dialect(String limit, String seed, String required, boolean effort, boolean tags) {
    static final Dialect OPENAI =
        new Dialect("max_completion_tokens", "seed", "required", true, false);
    static final Dialect MISTRAL = new Dialect("max_tokens", "random_seed", "any", false, false);
    static final Dialect SERVERS = new Dialect("max_tokens", "seed", "required", true, true);
  }

  /// As OpenAI speaks it.
  public static OpenAiChat ofOpenAi() {
    return new OpenAiChat("OpenAI", Dialect.OPENAI);
  }

  /// As Mistral speaks it.
  public static OpenAiChat ofMistral() {
    return new OpenAiChat("Mistral", Dialect.MISTRAL);
  }

  /// As model servers speak it.
  public static OpenAiChat ofServers() {
    return new OpenAiChat("The model server", Dialect.SERVERS);
  }

  @Override
  public Set<String> reserved() {
    return RESERVED;
  }

  @Override
  public ObjectNode write(ChatRequest request, Endpoint endpoint) {
    var body = JSON.createObjectNode();
    body.put("model", endpoint.model());
    var messages = body.putArray("messages");
    for (var message : Turns.withPicturesApart(request.messages())) {
      messages.add(turn(message, endpoint.ref().provider()));
    }
    tools(body, request);
    if (request.format() instanceof ResponseFormat.JsonSchema format) {
      body.set("response_format", Schemas.responseFormat(format));
    }
    request.temperature().ifPresent(value -> body.put("temperature", value));
    request.topP().ifPresent(value -> body.put("top_p", value));
    request.maxTokens().ifPresent(value -> body.put(dialect.limit(), value));
    request.seed().ifPresent(value -> body.put(dialect.seed(), seed(value)));
    if (!request.stop().isEmpty()) request.stop().forEach(body.putArray("stop")::add);
    if (dialect.effort()) {
      request
          .effort()
          .ifPresent(much -> body.put("reasoning_effort", much.name().toLowerCase(Locale.ROOT)));
    }
    return body;
  }

  private long seed(long value) {
    return dialect.seed().equals("seed") ? value : Math.floorMod(value, 1L << 31);
  }

  private void tools(ObjectNode body, ChatRequest request) {
    if (request.tools().isEmpty()) return;
    var tools = body.putArray("tools");
    for (var tool : request.tools()) {
      var function = tools.addObject().put("type", "function").putObject("function");
      function.put("name", tool.name()).put("description", tool.description());
      function.putRawValue("parameters", new RawValue(tool.parameters().text()));
    }
    switch (request.toolChoice()) {
      case ToolChoice.Auto _ -> {}
      case ToolChoice.None _ -> body.put("tool_choice", "none");
      case ToolChoice.Required _ -> body.put("tool_choice", dialect.required());
      case ToolChoice.Named(var tool) ->
          body.putObject("tool_choice")
              .put("type", "function")
              .putObject("function")
              .put("name", tool);
    }
  }

  private static ObjectNode turn(Message message, String vendor) {
    var turn = JSON.createObjectNode();
    switch (message) {
      case SystemMessage _ -> turn.put("role", "system").put("content", message.text());
      case UserMessage _ -> {
        turn.put("role", "user");
        if (Turns.isText(message, vendor)) {
          turn.put("content", message.text());
        } else {
          parts(turn.putArray("content"), message, vendor);
        }
      }
      case AssistantMessage reply -> writeReply(turn, reply);
      case ToolMessage answer ->
          turn.put("role", "tool")
              .put("tool_call_id", answer.callId())
              .put("content", answer.text());
    }
    return turn;
  }

  private static void writeReply(ObjectNode turn, AssistantMessage reply) {
    turn.put("role", "assistant");
    if (reply.text().isEmpty()) {
      turn.putNull("content");
    } else {
      turn.put("content", reply.text());
    }
    if (!reply.hasToolCalls()) return;
    var calls = turn.putArray("tool_calls");
    for (var call : reply.calls()) {
      calls
          .addObject()
          .put("id", call.id())
          .put("type", "function")
          .putObject("function")
          .put("name", call.tool())
          .put("arguments", call.arguments());
    }
  }

  private static void parts(ArrayNode to, Message message, String vendor) {
    for (var part : message.content()) {
      switch (part) {
        case Content.Text(var text) -> to.addObject().put("type", "text").put("text", text);
        case Content.Data(var json) -> to.addObject().put("type", "text").put("text", json.text());
        case Content.Image(var type, var base64) ->
            picture(to, "data:" + type + ";base64," + base64);
        case Content.ImageLink(var url) -> picture(to, url.toString());
        case Content.Thinking _ -> {}
        case Content.Extension(var seal) -> {
          if (seal.vendor().equals(vendor)) to.add(Turns.read(seal.data()));
        }
      }
    }
  }

  private static void picture(ArrayNode to, String url) {
    to.addObject().put("type", "image_url").putObject("image_url").put("url", url);
  }

  @Override
  public void read(JsonNode reply, Draft into) {
    into.receipt(reply.path("id"), reply.path("model"));
    usage(reply.path("usage"), into.spent());
    var choice = reply.path("choices").path(0);
    var said = choice.has("message") ? choice.path("message") : choice.path("delta");
    if (said.isObject()) into.begin();
    var refusal = said.path("refusal").asString("");
    if (!refusal.isBlank()) throw new ReplyReader.Declined(refusal);
    // Some servers name it one way, some the other, and some both with the same text.
    var thought = said.path("reasoning_content").asString("");
    into.thinking(thought.isEmpty() ? said.path("reasoning").asString("") : thought);
    content(said.path("content"), into);
    int place = 0;
    for (var call : said.path("tool_calls")) {
      int index = call.path("index").asInt(place++);
      var function = call.path("function");
      into.call(index)
          .piece(
              call.path("id").asString(""),
              function.path("name").asString(""),
              arguments(function.path("arguments")));
    }
    into.finish(choice.path("finish_reason").asString(""));
  }

  // Some servers send arguments as an object.
  private static String arguments(JsonNode arguments) {
    if (arguments.isString()) return arguments.stringValue();
    return arguments.isObject() ? arguments.toString() : "";
  }

  private void content(JsonNode content, Draft into) {
    if (content.isString()) {
      text(content.stringValue(), into);
      return;
    }
    for (var chunk : content) {
      if (chunk.path("type").asString("").equals("thinking")) {
        for (var thought : chunk.path("thinking")) into.thinking(thought.path("text").asString(""));
      } else {
        text(chunk.path("text").asString(""), into);
      }
    }
  }

  private void text(String text, Draft into) {
    if (dialect.tags()) {
      into.taggedText(text);
    } else {
      into.text(text);
    }
  }

  private static void usage(JsonNode usage, Draft.Spent spent) {
    if (!usage.isObject()) return;
    spent.input = usage.path("prompt_tokens").asLong(0);
    spent.output = usage.path("completion_tokens").asLong(0);
    spent.cached = usage.path("prompt_tokens_details").path("cached_tokens").asLong(0);
    spent.reasoning = usage.path("completion_tokens_details").path("reasoning_tokens").asLong(0);
  }
}
