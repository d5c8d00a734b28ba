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
  // Reported for some models; others take 64.
  private static final int CALL_ID_MAX = 40;
  private static final String AFTER_TOOLS = "I have read that.";
  private static final String REASONING = "reasoning_content";

  /// The field of a seal that names the one of the thought.
  private static final String FIELD = "field";

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
  /// @param efforts which levels of effort are known: those of the model, those that most servers
  ///   know, or none, as at Mistral, which refuses fields that it does not know
  /// @param isServer whether it is a model server: its texts may begin with thoughts between tags,
  ///   and some demand the thoughts back that led to a call
  public record Dialect(
      String limit, String seed, String required, Efforts efforts, boolean isServer) {
    static final Dialect OPENAI =
        new Dialect("max_completion_tokens", "seed", "required", Efforts.OF_MODEL, false);
    static final Dialect MISTRAL =
        new Dialect("max_tokens", "random_seed", "any", Efforts.NONE, false);
    static final Dialect SERVERS =
        new Dialect("max_tokens", "seed", "required", Efforts.COMMON, true);

    /// Which levels of effort are known.
    public enum Efforts {
      /// Those of OpenAI's model.
      OF_MODEL,
      /// Those that most servers know.
      COMMON,
      /// None.
      NONE
    }

    private boolean needsReplyAfterTools() {
      return efforts == Efforts.NONE;
    }

    private EffortLevels levels(String model) {
      return switch (efforts) {
        case OF_MODEL -> OpenAiModelRules.efforts(model);
        case COMMON -> EffortLevels.of(Effort.NONE, Effort.LOW, Effort.MEDIUM, Effort.HIGH);
        case NONE -> EffortLevels.NOT_TOLD;
      };
    }
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
    boolean isAfterTool = false;
    for (var message : Turns.withPicturesApart(request.messages())) {
      // Mistral demands that the model speaks between the answers of tools and the user.
      if (isAfterTool && dialect.needsReplyAfterTools() && message instanceof UserMessage) {
        messages.addObject().put("role", "assistant").put("content", AFTER_TOOLS);
      }
      messages.add(turn(message, endpoint));
      isAfterTool = message instanceof ToolMessage;
    }
    tools(body, request, endpoint);
    if (request.format() instanceof ResponseFormat.JsonSchema format) {
      body.set("response_format", Schemas.responseFormat(format));
    }
    if (maySample(request, endpoint)) {
      request.temperature().ifPresent(value -> body.put("temperature", value));
      request.topP().ifPresent(value -> body.put("top_p", value));
    }
    request.maxTokens().ifPresent(value -> body.put(dialect.limit(), value));
    request.seed().ifPresent(value -> body.put(dialect.seed(), seed(value)));
    if (!request.stop().isEmpty()) request.stop().forEach(body.putArray("stop")::add);
    request
        .effort()
        .flatMap(dialect.levels(endpoint.model())::nearest)
        .ifPresent(level -> body.put("reasoning_effort", EffortLevels.word(level)));
    return body;
  }

  private boolean maySample(ChatRequest request, Endpoint endpoint) {
    return dialect.efforts() != Dialect.Efforts.OF_MODEL
        || OpenAiModelRules.maySample(endpoint.model(), request);
  }

  private long seed(long value) {
    return dialect.seed().equals("seed") ? value : Math.floorMod(value, 1L << 31);
  }

  private void tools(ObjectNode body, ChatRequest request, Endpoint endpoint) {
    var hosted = request.hostedTools(endpoint.ref().provider());
    if (!hosted.isEmpty() && !dialect.isServer()) {
      throw endpoint.refused(title, "its chat has no tools that run there; OpenAI's responses do");
    }
    if (request.tools().isEmpty() && hosted.isEmpty()) return;
    var tools = body.putArray("tools");
    for (var tool : hosted) tools.add(Turns.read(tool.definition()));
    if (request.tools().isEmpty()) return;
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

  private ObjectNode turn(Message message, Endpoint endpoint) {
    var vendor = endpoint.ref().provider();
    var turn = JSON.createObjectNode();
    switch (message) {
      case SystemMessage _ -> turn.put("role", "system").put("content", message.text());
      case UserMessage _ -> {
        turn.put("role", "user");
        if (Turns.isText(message, vendor)) {
          turn.put("content", message.text());
        } else {
          parts(turn.putArray("content"), message, endpoint);
        }
      }
      case AssistantMessage reply -> writeReply(turn, reply, vendor);
      case ToolMessage answer ->
          turn.put("role", "tool")
              .put("tool_call_id", callId(answer.callId()))
              .put("content", answer.text());
    }
    return turn;
  }

  // Mistral takes ids of its own form only, which those of another vendor's calls do not have.
  private String callId(String id) {
    if (dialect.isServer()) return id;
    if (dialect.efforts() != Dialect.Efforts.NONE) return Turns.callId(id, CALL_ID_MAX);
    if (id.matches("[a-zA-Z0-9]{9}")) return id;
    return ToolNames.digest(id).substring(0, 9);
  }

  private void writeReply(ObjectNode turn, AssistantMessage reply, String vendor) {
    turn.put("role", "assistant");
    if (reply.text().isEmpty()) {
      turn.putNull("content");
    } else {
      turn.put("content", reply.text());
    }
    if (!reply.hasToolCalls()) return;
    thoughts(turn, reply, vendor);
    var calls = turn.putArray("tool_calls");
    for (var call : reply.calls()) {
      calls
          .addObject()
          .put("id", callId(call.id()))
          .put("type", "function")
          .putObject("function")
          .put("name", call.tool())
          .put("arguments", call.arguments());
    }
  }

  /// Returns a server's thoughts before a call in the field that they came in: some servers refuse
  /// the conversation without them.
  private static void thoughts(ObjectNode turn, AssistantMessage reply, String vendor) {
    for (var part : reply.content()) {
      if (!(part instanceof Content.Thinking(var text, var seal))) continue;
      var field = Turns.sealed(seal, vendor).map(data -> data.path(FIELD).asString("")).orElse("");
      if (!field.isEmpty()) turn.put(field, turn.path(field).asString("") + text);
    }
  }

  private void parts(ArrayNode to, Message message, Endpoint endpoint) {
    var vendor = endpoint.ref().provider();
    for (var part : message.content()) {
      switch (part) {
        case Content.Text(var text) -> to.addObject().put("type", "text").put("text", text);
        case Content.Data(var json) -> to.addObject().put("type", "text").put("text", json.text());
        case Content.Image(var type, var base64) ->
            picture(to, "data:" + type + ";base64," + base64);
        case Content.ImageLink(var url) -> picture(to, url.toString());
        case Content.File file -> file(to, file, endpoint);
        case Content.FileLink(var type, var url) ->
            throw endpoint.refused(title, "it fetches no files; send the bytes of " + url);
        case Content.Thinking _ -> {}
        case Content.Extension(var seal) -> {
          if (seal.vendor().equals(vendor)) to.add(Turns.read(seal.data()));
        }
      }
    }
  }

  private void file(ArrayNode to, Content.File file, Endpoint endpoint) {
    var format = Media.audioFormat(file.mediaType());
    if (!format.isEmpty()) {
      to.addObject()
          .put("type", "input_audio")
          .putObject("input_audio")
          .put("data", file.base64())
          .put("format", format);
    } else if (Media.isPdf(file.mediaType())) {
      to.addObject()
          .put("type", "file")
          .putObject("file")
          .put("filename", Media.name(file))
          .put("file_data", Media.url(file.mediaType(), file.base64()));
    } else if (dialect.isServer() && file.mediaType().startsWith("video/")) {
      to.addObject()
          .put("type", "video_url")
          .putObject("video_url")
          .put("url", Media.url(file.mediaType(), file.base64()));
    } else {
      throw endpoint.refused(title, Media.unknown(file.mediaType()));
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
    var field = said.path(REASONING).asString("").isEmpty() ? "reasoning" : REASONING;
    var thought = said.path(field).asString("");
    into.thinking(thought);
    if (dialect.isServer() && !thought.isEmpty()) {
      into.sealOpenThinking(() -> JSON.createObjectNode().put(FIELD, field));
    }
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
    if (dialect.isServer()) {
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
