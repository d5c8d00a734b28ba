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
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Google's `generateContent`. The model's name is part of the URL.
public record GeminiContents() implements Protocol {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String VENDOR = "gemini";

  /// The models that know a level below `low`; a later one refuses it.
  private static final Pattern WITH_MINIMAL = Pattern.compile("gemini-3(\\.[15])?-flash.*");

  private static final String SIGNATURE = "thoughtSignature";
  private static final Set<String> RESERVED =
      Set.of(
          "contents",
          "systemInstruction",
          "tools",
          "toolConfig.functionCallingConfig",
          "generationConfig.temperature",
          "generationConfig.topP",
          "generationConfig.stopSequences",
          "generationConfig.maxOutputTokens",
          "generationConfig.seed",
          "generationConfig.responseMimeType",
          "generationConfig.responseJsonSchema",
          "generationConfig.responseSchema",
          "generationConfig.thinkingConfig.thinkingBudget",
          "generationConfig.thinkingConfig.thinkingLevel");

  @Override
  public String title() {
    return "Gemini";
  }

  @Override
  public Set<String> reserved() {
    return RESERVED;
  }

  @Override
  public ObjectNode write(ChatRequest request, Endpoint endpoint) {
    var body = JSON.createObjectNode();
    var contents = body.putArray("contents");
    for (var message : Turns.withPicturesApart(request.messages())) {
      turn(body, contents, message, endpoint.model());
    }
    tools(body, request);
    var config = body.putObject("generationConfig");
    request.temperature().ifPresent(value -> config.put("temperature", value));
    request.topP().ifPresent(value -> config.put("topP", value));
    request.maxTokens().ifPresent(value -> config.put("maxOutputTokens", value));
    request.seed().ifPresent(value -> config.put("seed", Math.floorMod(value, 1L << 31)));
    if (!request.stop().isEmpty()) {
      request.stop().forEach(config.putArray("stopSequences")::add);
    }
    if (request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      if (!takesBoth(request, endpoint.model())) {
        instruct(body, Schemas.asPrompt(schema));
      } else {
        config.put("responseMimeType", "application/json");
        config.set("responseJsonSchema", Schemas.forGemini(Schemas.of(schema)));
      }
    }
    request.effort().ifPresent(much -> think(config, much, endpoint.model()));
    return body;
  }

  // Models before Gemini 3 refuse a form of the answer beside tools.
  private static boolean takesBoth(ChatRequest request, String model) {
    return request.tools().isEmpty() || !model.startsWith("gemini-2");
  }

  private static void instruct(ObjectNode body, String text) {
    body.withObject("systemInstruction").withArray("parts").addObject().put("text", text);
  }

  private static void tools(ObjectNode body, ChatRequest request) {
    var hosted = request.hostedTools(VENDOR);
    if (request.tools().isEmpty() && hosted.isEmpty()) return;
    var tools = body.putArray("tools");
    for (var tool : hosted) tools.add(Turns.read(tool.definition()));
    if (request.tools().isEmpty()) return;
    if (!hosted.isEmpty()) {
      body.withObject("toolConfig").put("includeServerSideToolInvocations", true);
    }
    var functions = tools.addObject().putArray("functionDeclarations");
    for (var tool : request.tools()) {
      var function = functions.addObject();
      function.put("name", tool.name()).put("description", tool.description());
      function.set("parametersJsonSchema", Schemas.forGemini(Schemas.of(tool.parameters())));
    }
    switch (request.toolChoice()) {
      case ToolChoice.Auto _ -> {}
      case ToolChoice.None _ -> calling(body).put("mode", "NONE");
      case ToolChoice.Required _ -> calling(body).put("mode", "ANY");
      case ToolChoice.Named(var tool) ->
          calling(body).put("mode", "ANY").putArray("allowedFunctionNames").add(tool);
    }
  }

  private static ObjectNode calling(ObjectNode body) {
    return body.withObject("toolConfig").putObject("functionCallingConfig");
  }

  /// From Gemini 3 on models think at a level, those before have a budget. Pro models cannot do
  /// without.
  private static void think(ObjectNode config, Effort much, String model) {
    var thinking = config.putObject("thinkingConfig");
    boolean isPro = model.contains("pro");
    if (much.compareTo(Effort.MINIMAL) > 0) thinking.put("includeThoughts", true);
    if (model.startsWith("gemini-2")) {
      thinking.put(
          "thinkingBudget",
          switch (much) {
            case NONE, MINIMAL -> isPro ? 128 : 0;
            case LOW -> 1024;
            case MEDIUM -> 8192;
            case HIGH, XHIGH, MAX -> 24_576;
          });
      return;
    }
    // Between the two levels of the first Pro model, the larger one is nearer to what others do.
    boolean isHigher = much == Effort.MEDIUM && model.startsWith("gemini-3-pro");
    efforts(model)
        .nearest(isHigher ? Effort.HIGH : much)
        .ifPresent(level -> thinking.put("thinkingLevel", EffortLevels.word(level)));
  }

  private static EffortLevels efforts(String model) {
    if (model.startsWith("gemini-3-pro")) return EffortLevels.of(Effort.LOW, Effort.HIGH);
    return WITH_MINIMAL.matcher(model).matches()
        ? EffortLevels.of(Effort.MINIMAL, Effort.LOW, Effort.MEDIUM, Effort.HIGH)
        : EffortLevels.of(Effort.LOW, Effort.MEDIUM, Effort.HIGH);
  }

  private static void turn(ObjectNode body, ArrayNode contents, Message message, String model) {
    switch (message) {
      case SystemMessage _ -> instruct(body, message.text());
      case UserMessage _ -> parts(parts(contents, "user"), message);
      case AssistantMessage reply -> {
        var to = parts(contents, "model");
        parts(to, reply);
        for (var call : reply.calls()) {
          var part = to.addObject();
          var function = part.putObject("functionCall");
          function.put("id", call.id()).put("name", call.tool());
          function.set("args", Turns.object(call.arguments()));
          Turns.sealed(call.seal(), VENDOR)
              .ifPresent(data -> part.set(SIGNATURE, data.path(SIGNATURE)));
          // Gemini 3 demands a signature of the first call; this word stands for that of another.
          boolean isFirst = call.equals(reply.calls().getFirst());
          if (isFirst && !part.has(SIGNATURE) && !model.startsWith("gemini-2")) {
            part.put(SIGNATURE, "skip_thought_signature_validator");
          }
        }
      }
      case ToolMessage answer -> {
        var function = parts(contents, "user").addObject().putObject("functionResponse");
        function.put("id", answer.callId()).put("name", answer.tool());
        function.set("response", response(answer));
      }
    }
  }

  // All answers to the calls of a turn belong into the one turn after it.
  private static ArrayNode parts(ArrayNode contents, String role) {
    if (!contents.isEmpty()
        && contents.get(contents.size() - 1) instanceof ObjectNode last
        && last.path("role").asString("").equals(role)) return last.withArray("parts");
    return contents.addObject().put("role", role).putArray("parts");
  }

  private static ObjectNode response(ToolMessage answer) {
    if (answer.error()) return JSON.createObjectNode().put("error", answer.text());
    try {
      if (ReplyReader.JSON.readTree(answer.text()) instanceof ObjectNode object) return object;
    } catch (JacksonException _) {
      // Falls through: text.
    }
    return JSON.createObjectNode().put("output", answer.text());
  }

  private static void parts(ArrayNode to, Message message) {
    int before = to.size();
    for (var part : message.content()) {
      switch (part) {
        case Content.Text(var text) -> to.addObject().put("text", text);
        case Content.Data(var json) -> to.addObject().put("text", json.text());
        case Content.Image(var type, var base64) ->
            to.addObject().putObject("inlineData").put("mimeType", type).put("data", base64);
        case Content.ImageLink(var url) -> {
          var file = to.addObject().putObject("fileData").put("fileUri", url.toString());
          mediaType(url).ifPresent(type -> file.put("mimeType", type));
        }
        case Content.File(var type, var base64, _) ->
            to.addObject().putObject("inlineData").put("mimeType", type).put("data", base64);
        case Content.FileLink(var type, var url) ->
            to.addObject()
                .putObject("fileData")
                .put("mimeType", type)
                .put("fileUri", url.toString());
        case Content.Thinking(var text, var seal) ->
            Turns.sealed(seal, VENDOR)
                .ifPresent(data ->
                    to.addObject()
                        .put("text", text)
                        .put("thought", true)
                        .set(SIGNATURE, data.path(SIGNATURE)));
        case Content.Extension(var seal) -> {
          if (seal.vendor().equals(VENDOR)) to.add(Turns.read(seal.data()));
        }
      }
    }
    if (to.size() == before && message instanceof UserMessage) {
      to.addObject().put("text", Turns.NOTHING);
    }
  }

  private static Optional<String> mediaType(URI url) {
    var path = String.valueOf(url.getPath()).toLowerCase(Locale.ROOT);
    var end = path.substring(path.lastIndexOf('.') + 1);
    return switch (end) {
      case "png", "webp", "gif", "heic" -> Optional.of("image/" + end);
      case "jpg", "jpeg" -> Optional.of("image/jpeg");
      default -> Optional.empty();
    };
  }

  @Override
  public void read(JsonNode reply, Draft into) {
    var blocked = reply.path("promptFeedback").path("blockReason").asString("");
    if (!blocked.isEmpty()) throw new ReplyReader.Declined(blocked);
    into.receipt(reply.path("responseId"), reply.path("modelVersion"));
    usage(reply.path("usageMetadata"), into.spent());
    var candidate = reply.path("candidates").path(0);
    if (candidate.isObject()) into.begin();
    for (var part : candidate.path("content").path("parts")) part(part, into);
    for (var chunk : candidate.path("groundingMetadata").path("groundingChunks")) {
      var source = chunk.has("web") ? chunk.path("web") : chunk.path("retrievedContext");
      into.citation(source.path("uri").asString(""), source.path("title").asString(""), "");
    }
    for (var query : candidate.path("groundingMetadata").path("webSearchQueries")) {
      into.search(query.asString(""));
    }
    into.finish(candidate.path("finishReason").asString(""));
  }

  private static void part(JsonNode part, Draft into) {
    var signature = part.path(SIGNATURE);
    boolean isSealed = !signature.asString("").isEmpty();
    if (part.has("functionCall")) {
      var function = part.path("functionCall");
      var args = function.path("args");
      var call = into.call(into.calls());
      call.piece(
          function.path("id").asString(""),
          function.path("name").asString(""),
          args.isEmpty() ? "{}" : args.toString());
      if (isSealed) call.seal(JSON.createObjectNode().set(SIGNATURE, signature));
    } else if (part.path("thought").asBoolean(false)) {
      into.thinking(part.path("text").asString(""));
      if (isSealed) into.sealThinking(JSON.createObjectNode().set(SIGNATURE, signature));
    } else if (part.has("text")) {
      into.text(part.path("text").asString(""));
      // The signature of an answer comes back as an empty part after it.
      if (isSealed) {
        var seal = JSON.createObjectNode().put("text", "");
        into.extension(seal.set(SIGNATURE, signature));
      }
    } else if (part.path("inlineData").path("mimeType").asString("").startsWith("image/")) {
      var data = part.path("inlineData");
      into.part(
          new Content.Image(data.path("mimeType").asString(), data.path("data").asString("")));
    } else if (!part.isEmpty()) {
      into.extension(part);
    }
  }

  // Google does not count thoughts as output, nor what its own tools read as prompt.
  private static void usage(JsonNode usage, Draft.Spent spent) {
    if (!usage.isObject()) return;
    spent.input =
        usage.path("promptTokenCount").asLong(0) + usage.path("toolUsePromptTokenCount").asLong(0);
    spent.cached = usage.path("cachedContentTokenCount").asLong(0);
    spent.reasoning = usage.path("thoughtsTokenCount").asLong(0);
    spent.output = usage.path("candidatesTokenCount").asLong(0) + spent.reasoning;
  }
}
