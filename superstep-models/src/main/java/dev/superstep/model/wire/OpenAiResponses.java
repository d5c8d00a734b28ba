package dev.superstep.model.wire;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.HostedFile;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// OpenAI's responses. Nothing is stored at OpenAI: thoughts come back encrypted, as seals, and are
/// given back with the conversation. There is no stop text and no seed; a seed is left out.
public record OpenAiResponses() implements Protocol {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String VENDOR = "openai";
  private static final int CALL_ID_MAX = 64;
  private static final String NAMESPACE = "namespace";
  private static final Set<String> RESERVED =
      Set.of(
          "model",
          "input",
          "instructions",
          "tools",
          "tool_choice",
          "text.format",
          "temperature",
          "top_p",
          "max_output_tokens",
          "reasoning.effort",
          "stream",
          "store",
          "previous_response_id",
          "background");

  @Override
  public String title() {
    return "OpenAI";
  }

  @Override
  public Set<String> reserved() {
    return RESERVED;
  }

  @Override
  public boolean defersTools(String model) {
    return OpenAiModelRules.defersTools(model);
  }

  @Override
  public ObjectNode write(ChatRequest request, Endpoint endpoint) {
    if (!request.stop().isEmpty()) {
      throw endpoint.refused(title(), "its responses have no stop texts; ask by chat completions");
    }
    var body = JSON.createObjectNode();
    body.put("model", endpoint.model()).put("store", false);
    var input = body.putArray("input");
    for (var message : Turns.of(request.messages())) turn(input, message, endpoint);
    tools(body, request);
    if (request.format() instanceof ResponseFormat.JsonSchema format) {
      var inner = (ObjectNode) Schemas.responseFormat(format).get("json_schema");
      body.putObject("text").set("format", inner.put("type", "json_schema"));
    }
    if (OpenAiModelRules.maySample(endpoint.model(), request)) {
      request.temperature().ifPresent(value -> body.put("temperature", value));
      request.topP().ifPresent(value -> body.put("top_p", value));
    }
    request.maxTokens().ifPresent(value -> body.put("max_output_tokens", value));
    request
        .effort()
        .flatMap(OpenAiModelRules.efforts(endpoint.model())::nearest)
        .ifPresent(level -> body.putObject("reasoning").put("effort", EffortLevels.word(level)));
    if (OpenAiModelRules.isReasoning(endpoint.model())) {
      body.putArray("include").add("reasoning.encrypted_content");
    }
    return body;
  }

  private static void tools(ObjectNode body, ChatRequest request) {
    var hosted = request.hostedTools(VENDOR);
    if (request.tools().isEmpty() && hosted.isEmpty()) return;
    var tools = body.putArray("tools");
    for (var tool : hosted) tools.add(Turns.read(tool.definition()));
    for (var tool : request.tools()) {
      var function = tools.addObject().put("type", "function");
      function.put("name", tool.name()).put("description", tool.description());
      function.set("parameters", Schemas.of(tool.parameters()));
      // Unlike chat completions, this API is strict unless told not to be.
      function.put("strict", false);
      if (request.isDeferred(tool)) function.put("defer_loading", true);
    }
    switch (request.toolChoice()) {
      case ToolChoice.Auto _ -> {}
      case ToolChoice.None _ -> body.put("tool_choice", "none");
      case ToolChoice.Required _ -> body.put("tool_choice", "required");
      case ToolChoice.Named(var tool) ->
          body.putObject("tool_choice").put("type", "function").put("name", tool);
    }
  }

  private void turn(ArrayNode input, Message message, Endpoint endpoint) {
    switch (message) {
      case SystemMessage _ ->
          input.addObject().put("role", "system").put("content", message.text());
      case UserMessage _ -> {
        var turn = input.addObject().put("role", "user");
        if (Turns.isText(message, VENDOR)) {
          turn.put("content", message.text());
        } else {
          parts(turn.putArray("content"), message, endpoint);
        }
      }
      case AssistantMessage reply -> writeReply(input, reply);
      case ToolMessage answer -> {
        var turn = input.addObject().put("type", "function_call_output");
        turn.put("call_id", Turns.callId(answer.callId(), CALL_ID_MAX));
        if (Turns.isText(message, VENDOR)) {
          turn.put("output", answer.text());
        } else {
          parts(turn.putArray("output"), answer, endpoint);
        }
      }
    }
  }

  // Thoughts are items of their own, before what they led to.
  private static void writeReply(ArrayNode input, AssistantMessage reply) {
    for (var part : reply.content()) {
      switch (part) {
        // Nothing is stored at OpenAI, so a thought that came without its content says nothing.
        case Content.Thinking(_, var seal) ->
            Turns.sealed(seal, VENDOR)
                .filter(item -> item.hasNonNull("encrypted_content"))
                .ifPresent(input::add);
        case Content.Extension(var seal) -> {
          if (seal.vendor().equals(VENDOR)) input.add(Turns.read(seal.data()));
        }
        case Content.Text _, Content.Data _, Content.Image _, Content.ImageLink _ -> {}
        case Content.File _, Content.FileLink _ -> {}
      }
    }
    if (!reply.text().isBlank()) {
      input.addObject().put("role", "assistant").put("content", reply.text());
    }
    for (var call : reply.calls()) {
      var item = input.addObject().put("type", "function_call");
      item.put("call_id", Turns.callId(call.id(), CALL_ID_MAX));
      item.put("name", call.tool()).put("arguments", call.arguments());
      Turns.sealed(call.seal(), VENDOR).ifPresent(seal -> item.set(NAMESPACE, seal.get(NAMESPACE)));
    }
  }

  private void parts(ArrayNode to, Message message, Endpoint endpoint) {
    for (var part : message.content()) {
      switch (part) {
        case Content.Text(var text) -> to.addObject().put("type", "input_text").put("text", text);
        case Content.Data(var json) ->
            to.addObject().put("type", "input_text").put("text", json.text());
        case Content.Image(var type, var base64) ->
            picture(to, "data:" + type + ";base64," + base64);
        case Content.ImageLink(var url) -> picture(to, url.toString());
        case Content.File file when Media.isPdf(file.mediaType()) ->
            to.addObject()
                .put("type", "input_file")
                .put("filename", Media.name(file))
                .put("file_data", Media.url(file.mediaType(), file.base64()));
        case Content.File file -> throw endpoint.refused(title(), Media.unknown(file.mediaType()));
        case Content.FileLink(var type, var url) when Media.isPdf(type) ->
            to.addObject().put("type", "input_file").put("file_url", url.toString());
        case Content.FileLink(var type, _) -> throw endpoint.refused(title(), Media.unknown(type));
        case Content.Thinking _ -> {}
        case Content.Extension(var seal) -> {
          if (seal.vendor().equals(VENDOR)) to.add(Turns.read(seal.data()));
        }
      }
    }
  }

  private static void picture(ArrayNode to, String url) {
    to.addObject().put("type", "input_image").put("detail", "auto").put("image_url", url);
  }

  @Override
  public Optional<JsonNode> error(JsonNode reply) {
    if (reply.path("type").asString("").equals("error")) {
      return Optional.of(reply.hasNonNull("error") ? reply.get("error") : reply);
    }
    if (reply.hasNonNull("error")) return Optional.of(reply.get("error"));
    var inner = reply.path("response");
    return inner.hasNonNull("error") ? Optional.of(inner.get("error")) : Optional.empty();
  }

  @Override
  public void read(JsonNode reply, Draft into) {
    switch (reply.path("type").asString("")) {
      case "response.created", "response.in_progress" -> head(reply.path("response"), into);
      case "response.output_text.delta" -> into.text(reply.path("delta").asString(""));
      case "response.reasoning_summary_part.added" -> {
        if (reply.path("summary_index").asInt(0) > 0) into.thinking("\n\n");
      }
      case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" ->
          into.thinking(reply.path("delta").asString(""));
      case "response.refusal.delta", "response.refusal.done" ->
          throw new ReplyReader.Declined(
              reply.path("refusal").asString(reply.path("delta").asString("")));
      case "response.output_text.annotation.added" -> citation(reply.path("annotation"), into);
      case "response.output_item.added" -> openCall(reply, into);
      case "response.function_call_arguments.delta" ->
          call(reply, into).piece("", "", reply.path("delta").asString(""));
      case "response.output_item.done" -> {
        var item = reply.path("item");
        if (isReasoning(item)) {
          into.sealThinking(item);
        } else if (!isMapped(item)) {
          into.extension(item);
        }
      }
      case "response.completed", "response.incomplete", "response.failed" ->
          tail(reply.path("response"), into);
      default -> {
        if (!reply.path("output").isArray()) return;
        head(reply, into);
        for (var item : reply.path("output")) whole(item, into);
        tail(reply, into);
      }
    }
  }

  private static void head(JsonNode response, Draft into) {
    into.begin();
    into.receipt(response.path("id"), response.path("model"));
  }

  // Calls are counted by their place among all items, which keeps them in order.
  private static Draft.Call call(JsonNode event, Draft into) {
    return into.call(event.path("output_index").asInt(0));
  }

  private static void openCall(JsonNode event, Draft into) {
    var item = event.path("item");
    if (!item.path("type").asString("").equals("function_call")) return;
    begin(call(event, into), item);
  }

  // A tool that was found has a namespace, which is returned with the call.
  private static void begin(Draft.Call call, JsonNode item) {
    var namespace = item.path(NAMESPACE).asString("");
    if (!namespace.isEmpty()) call.seal(JSON.createObjectNode().put(NAMESPACE, namespace));
    call.piece(
        item.path("call_id").asString(""),
        item.path("name").asString(""),
        item.path("arguments").asString(""));
  }

  private static void whole(JsonNode item, Draft into) {
    if (isReasoning(item)) {
      int place = 0;
      for (var summary : item.path("summary")) {
        into.thinking((place++ > 0 ? "\n\n" : "") + summary.path("text").asString(""));
      }
      for (var content : item.path("content")) into.thinking(content.path("text").asString(""));
      into.sealThinking(item);
      return;
    }
    if (!isMapped(item)) {
      into.extension(item);
      return;
    }
    if (item.path("type").asString("").equals("function_call")) {
      begin(into.call(into.calls()), item);
    }
    for (var content : item.path("content")) {
      var refusal = content.path("refusal").asString("");
      if (!refusal.isBlank()) throw new ReplyReader.Declined(refusal);
      into.text(content.path("text").asString(""));
      for (var annotation : content.path("annotations")) citation(annotation, into);
    }
  }

  private static void citation(JsonNode annotation, Draft into) {
    if (annotation.path("type").asString("").equals("container_file_citation")) {
      into.file(
          new HostedFile(
              VENDOR,
              annotation.path("file_id").asString(""),
              annotation.path("container_id").asString(""),
              annotation.path("filename").asString("")));
      return;
    }
    var title = annotation.path("title").asString(annotation.path("filename").asString(""));
    into.citation(annotation.path("url").asString(""), title, "");
  }

  private static boolean isReasoning(JsonNode item) {
    return item.path("type").asString("").equals("reasoning");
  }

  // Other items are calls of tools that run at OpenAI, which goes on by itself.
  private static boolean isMapped(JsonNode item) {
    var type = item.path("type").asString("");
    return type.equals("message") || type.equals("function_call");
  }

  private static void tail(JsonNode response, Draft into) {
    head(response, into);
    var why = response.path("incomplete_details").path("reason").asString("");
    into.finish(why.isEmpty() ? response.path("status").asString("completed") : why);
    var usage = response.path("usage");
    if (!usage.isObject()) return;
    var spent = into.spent();
    spent.input = usage.path("input_tokens").asLong(0);
    spent.output = usage.path("output_tokens").asLong(0);
    spent.cached = usage.path("input_tokens_details").path("cached_tokens").asLong(0);
    spent.written = usage.path("input_tokens_details").path("cache_write_tokens").asLong(0);
    spent.reasoning = usage.path("output_tokens_details").path("reasoning_tokens").asLong(0);
  }
}
