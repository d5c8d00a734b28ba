package dev.superstep.model.wire;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Ollama's own chat API, which streams lines of JSON. It cannot make a model call a tool: a
/// request that asks for one by name offers that tool alone.
public record OllamaChat() implements Protocol {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Set<String> RESERVED =
      Set.of(
          "model",
          "messages",
          "tools",
          "format",
          "think",
          "stream",
          "options.temperature",
          "options.top_p",
          "options.stop",
          "options.num_predict",
          "options.seed");

  @Override
  public String title() {
    return "Ollama";
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
      messages.add(turn(message, endpoint));
    }
    if (!request.hostedTools("ollama").isEmpty()) {
      throw endpoint.refused(title(), "it runs no tools");
    }
    var offered = offered(request);
    if (!offered.isEmpty()) {
      var tools = body.putArray("tools");
      for (var tool : offered) {
        var function = tools.addObject().put("type", "function").putObject("function");
        function.put("name", tool.name()).put("description", tool.description());
        function.set("parameters", Schemas.of(tool.parameters()));
      }
    }
    if (request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      body.set("format", Schemas.of(schema));
    }
    request.effort().ifPresent(much -> think(body, much, endpoint.model()));
    options(body.putObject("options"), request);
    return body;
  }

  private static List<ToolSpec> offered(ChatRequest request) {
    return switch (request.toolChoice()) {
      case ToolChoice.Auto _, ToolChoice.Required _ -> request.tools();
      case ToolChoice.None _ -> List.of();
      case ToolChoice.Named(var name) ->
          request.tools().stream().filter(tool -> tool.name().equals(name)).toList();
    };
  }

  // Only gpt-oss knows degrees, and it cannot do without.
  private static void think(ObjectNode body, Effort much, String model) {
    if (model.contains("gpt-oss")) {
      var levels = EffortLevels.of(Effort.LOW, Effort.MEDIUM, Effort.HIGH);
      levels.nearest(much).ifPresent(level -> body.put("think", EffortLevels.word(level)));
    } else {
      body.put("think", much.compareTo(Effort.MINIMAL) > 0);
    }
  }

  private static void options(ObjectNode options, ChatRequest request) {
    request.temperature().ifPresent(value -> options.put("temperature", value));
    request.topP().ifPresent(value -> options.put("top_p", value));
    request.maxTokens().ifPresent(value -> options.put("num_predict", value));
    request.seed().ifPresent(value -> options.put("seed", value));
    if (!request.stop().isEmpty()) request.stop().forEach(options.putArray("stop")::add);
  }

  private ObjectNode turn(Message message, Endpoint endpoint) {
    var turn = JSON.createObjectNode();
    switch (message) {
      case SystemMessage _ -> turn.put("role", "system").put("content", message.text());
      case UserMessage _ -> {
        turn.put("role", "user").put("content", message.text());
        pictures(turn, message, endpoint);
      }
      case AssistantMessage reply -> writeReply(turn, reply);
      // Without ids, Ollama tells the results of parallel calls apart by the tool's name.
      case ToolMessage answer ->
          turn.put("role", "tool").put("content", answer.text()).put("tool_name", answer.tool());
    }
    return turn;
  }

  private static void writeReply(ObjectNode turn, AssistantMessage reply) {
    turn.put("role", "assistant").put("content", reply.text());
    for (var part : reply.content()) {
      if (part instanceof Content.Thinking(var text, var seal)
          && Turns.sealed(seal, "ollama").isPresent()) {
        turn.put("thinking", turn.path("thinking").asString("") + text);
      }
    }
    if (!reply.hasToolCalls()) return;
    var calls = turn.putArray("tool_calls");
    for (var call : reply.calls()) {
      var function = calls.addObject().putObject("function").put("name", call.tool());
      function.set("arguments", Turns.object(call.arguments()));
    }
  }

  private void pictures(ObjectNode turn, Message message, Endpoint endpoint) {
    for (var part : message.content()) {
      switch (part) {
        case Content.Image(_, var base64) -> turn.withArray("images").add(base64);
        case Content.ImageLink(var url) ->
            throw endpoint.refused(title(), "it fetches no pictures; send the bytes of " + url);
        case Content.File(var type, _, _) -> throw endpoint.refused(title(), Media.unknown(type));
        case Content.FileLink(var type, _) -> throw endpoint.refused(title(), Media.unknown(type));
        case Content.Text _, Content.Data _, Content.Thinking _, Content.Extension _ -> {}
      }
    }
  }

  @Override
  public void read(JsonNode reply, Draft into) {
    into.receipt(reply.path("id"), reply.path("model"));
    var said = reply.path("message");
    if (said.isObject()) into.begin();
    var thought = said.path("thinking").asString("");
    into.thinking(thought);
    into.taggedText(said.path("content").asString(""));
    for (var call : said.path("tool_calls")) {
      var function = call.path("function");
      into.call(into.calls())
          .piece(
              call.path("id").asString(""),
              function.path("name").asString(""),
              function.path("arguments").isObject()
                  ? function.path("arguments").toString()
                  : function.path("arguments").asString(""));
    }
    if (!reply.path("done").asBoolean(false)) return;
    into.finish(reply.path("done_reason").asString("stop"));
    into.spent().input = reply.path("prompt_eval_count").asLong(0);
    into.spent().output = reply.path("eval_count").asLong(0);
    into.sealThoughts(JSON.createObjectNode());
  }
}
