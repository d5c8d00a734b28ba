package dev.superstep.model.wire;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.CacheHint;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Anthropic's messages protocol. The API has no seed. Models that accept a schema for the answer
/// are constrained to it, unless the schema exceeds their grammar; for others it goes into the
/// prompt.
public record AnthropicMessages() implements Protocol {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String VENDOR = "anthropic";
  private static final String DEFERRED = "defer_loading";

  /// The API requires a limit; every model that is still served takes this one.
  private static final int OUTPUT_TOKENS = 8192;

  /// Adaptive thinking counts as output.
  private static final int OUTPUT_TOKENS_WITH_THOUGHT = 16_384;

  /// Marks a sealed part that is no block, but names the container of a turn that is to go on.
  static final String CONTAINER = "superstep.container";

  private static final Set<String> RESERVED =
      Set.of(
          "model",
          "messages",
          "system",
          "max_tokens",
          "tools",
          "tool_choice.type",
          "tool_choice.name",
          "temperature",
          "top_p",
          "stop_sequences",
          "thinking",
          "output_config.effort",
          "output_config.format",
          "stream");

  @Override
  public String title() {
    return "Anthropic";
  }

  @Override
  public Set<String> reserved() {
    return RESERVED;
  }

  /// Unfinished features have to be named.
  @Override
  public Map<String, String> headers(ChatRequest request) {
    var betas = new TreeSet<String>();
    for (var tool : request.hostedTools(VENDOR)) betas.addAll(tool.betas());
    return betas.isEmpty() ? Map.of() : Map.of("anthropic-beta", String.join(",", betas));
  }

  @Override
  public boolean defersTools(String model) {
    return AnthropicModelRules.defersTools(model);
  }

  @Override
  public ObjectNode write(ChatRequest request, Endpoint endpoint) {
    var body = JSON.createObjectNode();
    body.put("model", endpoint.model());
    body.put("max_tokens", request.maxTokens().orElse(OUTPUT_TOKENS));
    var nativeSchema = grammar(request, endpoint.model());
    var system = JSON.createArrayNode();
    system(system, request, nativeSchema.isEmpty());
    if (!system.isEmpty()) body.set("system", system);
    var turns = new AnthropicTurns(body.putArray("messages"), this, endpoint);
    turns.add(request);
    turns.container().ifPresent(id -> body.put("container", id));
    tools(body, request, endpoint.model());
    nativeSchema.ifPresent(schema ->
        body.withObject("output_config")
            .putObject("format")
            .put("type", "json_schema")
            .set("schema", schema));
    if (!request.stop().isEmpty()) {
      request.stop().forEach(body.putArray("stop_sequences")::add);
    }
    request.effort().ifPresent(much -> think(body, much, request, endpoint.model()));
    boolean thinks = body.has("thinking");
    if (AnthropicModelRules.takesTemperature(endpoint.model(), thinks)) {
      request.temperature().ifPresent(value -> body.put("temperature", value));
    }
    if (AnthropicModelRules.takesTopP(endpoint.model(), request, thinks)) {
      request.topP().ifPresent(value -> body.put("top_p", value));
    }
    return body;
  }

  private static Optional<JsonNode> grammar(ChatRequest request, String model) {
    return request.format() instanceof ResponseFormat.JsonSchema(_, var schema)
            && AnthropicModelRules.takesGrammar(model)
        ? Schemas.forAnthropic(Schemas.of(schema))
        : Optional.empty();
  }

  // What the prefix covers ends in a mark, so that it can be kept without what follows.
  private static void system(ArrayNode blocks, ChatRequest request, boolean schemaToo) {
    ObjectNode lastOfPrefix = null;
    boolean all = true;
    int place = 0;
    for (var message : request.messages()) {
      boolean inPrefix = place++ < request.prefix();
      if (!(message instanceof SystemMessage) || message.text().isBlank()) continue;
      var block = blocks.addObject().put("type", "text").put("text", message.text());
      if (inPrefix) lastOfPrefix = block;
      all &= inPrefix;
    }
    if (schemaToo && request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      var block = blocks.addObject().put("type", "text").put("text", Schemas.asPrompt(schema));
      if (all) lastOfPrefix = block;
    }
    if (lastOfPrefix != null) markCached(lastOfPrefix, request.cacheHint());
  }

  /// Marks the end of what the vendor is to keep.
  static void markCached(ObjectNode block, CacheHint hint) {
    switch (hint) {
      case NONE -> {}
      case SHORT -> block.putObject("cache_control").put("type", "ephemeral");
      case LONG -> block.putObject("cache_control").put("type", "ephemeral").put("ttl", "1h");
    }
  }

  private static void tools(ObjectNode body, ChatRequest request, String model) {
    var hosted = request.hostedTools(VENDOR);
    if (request.tools().isEmpty() && hosted.isEmpty()) return;
    var tools = body.putArray("tools");
    for (var tool : hosted) tools.add(Turns.read(tool.definition()));
    boolean isForced = AnthropicModelRules.isForced(model);
    for (var tool : offered(request, isForced)) {
      var block = tools.addObject().put("name", tool.name()).put("description", tool.description());
      block.set("input_schema", Schemas.of(tool.parameters()));
      if (request.isDeferred(tool)) block.put(DEFERRED, true);
    }
    lastShown(tools).ifPresent(tool -> markCached(tool, request.cacheHint()));
    if (request.tools().isEmpty()) return;
    if (!isForced && AnthropicModelRules.isForcing(request)) return;
    switch (request.toolChoice()) {
      case ToolChoice.Auto _ -> {}
      case ToolChoice.None _ -> body.putObject("tool_choice").put("type", "none");
      case ToolChoice.Required _ -> body.putObject("tool_choice").put("type", "any");
      case ToolChoice.Named(var tool) ->
          body.putObject("tool_choice").put("type", "tool").put("name", tool);
    }
  }

  // Deferred tools are no part of the prefix, and must not be marked.
  private static Optional<ObjectNode> lastShown(ArrayNode tools) {
    for (int i = tools.size() - 1; i >= 0; i--) {
      var tool = (ObjectNode) tools.get(i);
      if (!tool.path(DEFERRED).asBoolean(false)) return Optional.of(tool);
    }
    return Optional.empty();
  }

  // A model that cannot be made to call a tool is offered that tool alone.
  private static List<ToolSpec> offered(ChatRequest request, boolean isForced) {
    if (isForced || !(request.toolChoice() instanceof ToolChoice.Named(var name))) {
      return request.tools();
    }
    return request.tools().stream().filter(tool -> tool.name().equals(name)).toList();
  }

  /// Newer models decide how much they think within an effort; those before them have a budget,
  /// which is added to the limit of the answer.
  private static void think(ObjectNode body, Effort much, ChatRequest request, String model) {
    if (AnthropicModelRules.isThoughtless(model)) return;
    boolean may = much.compareTo(Effort.MINIMAL) > 0 && mayThink(request);
    if (!AnthropicModelRules.isBudgeted(model)) {
      AnthropicModelRules.efforts(model)
          .nearest(much)
          .ifPresent(
              level -> body.withObject("output_config").put("effort", EffortLevels.word(level)));
      if (!may) return;
      body.putObject("thinking").put("type", "adaptive").put("display", "summarized");
      if (request.maxTokens().isEmpty()) body.put("max_tokens", OUTPUT_TOKENS_WITH_THOUGHT);
      return;
    }
    if (!may) return;
    int budget =
        switch (much) {
          case NONE, MINIMAL, LOW -> 2048;
          case MEDIUM -> 8192;
          case HIGH -> 16_384;
          case XHIGH, MAX -> 32_000;
        };
    body.putObject("thinking").put("type", "enabled").put("budget_tokens", budget);
    body.put("max_tokens", body.get("max_tokens").intValue() + budget);
  }

  // The API refuses thoughts before a forced call, and after calls that came without.
  private static boolean mayThink(ChatRequest request) {
    if (AnthropicModelRules.isForcing(request)) return false;
    if (!(request.messages().getLast() instanceof ToolMessage)) return true;
    for (var message : request.messages().reversed()) {
      switch (message) {
        case AssistantMessage reply -> {
          return reply.content().stream().anyMatch(AnthropicMessages::isSealed);
        }
        case UserMessage _, SystemMessage _, ToolMessage _ -> {}
      }
    }
    return true;
  }

  private static boolean isSealed(Content part) {
    return switch (part) {
      case Content.Thinking(_, var seal) -> Turns.sealed(seal, VENDOR).isPresent();
      case Content.Extension(var seal) -> seal.vendor().equals(VENDOR);
      case Content.Text _, Content.Data _, Content.Image _, Content.ImageLink _ -> false;
      case Content.File _, Content.FileLink _ -> false;
    };
  }

  @Override
  public void read(JsonNode reply, Draft into) {
    switch (reply.path("type").asString("")) {
      case "message_start" -> head(reply.path("message"), into);
      case "content_block_start" -> block(reply.path("content_block"), into);
      case "content_block_delta" -> delta(reply.path("delta"), into);
      case "content_block_stop" -> into.closeExtension();
      case "message_delta" -> {
        end(reply.path("delta"), into);
        usage(reply.path("usage"), into.spent());
      }
      default -> {
        if (!reply.path("content").isArray()) return;
        head(reply, into);
        for (var block : reply.path("content")) {
          block(block, into);
          into.closeExtension();
        }
        end(reply, into);
      }
    }
  }

  // A turn that goes on needs the container in which its code runs.
  private static void end(JsonNode end, Draft into) {
    var why = end.path("stop_reason").asString("");
    into.finish(why);
    var container = end.path("container").path("id").asString("");
    if (container.isEmpty() || !(why.equals("pause_turn") || why.equals("tool_use"))) return;
    into.extension(JSON.createObjectNode().put("type", CONTAINER).put("id", container));
  }

  private static void head(JsonNode message, Draft into) {
    into.begin();
    into.receipt(message.path("id"), message.path("model"));
    usage(message.path("usage"), into.spent());
  }

  private static void block(JsonNode block, Draft into) {
    switch (block.path("type").asString("")) {
      case "text" -> {
        into.text(block.path("text").asString(""));
        for (var citation : block.path("citations")) citation(citation, into);
      }
      case "thinking" -> {
        into.thinking(block.path("thinking").asString(""));
        signature(block.path("signature"), into);
      }
      case "tool_use" -> {
        var input = block.path("input");
        var arguments = input.isEmpty() ? "" : input.toString();
        into.call(into.calls())
            .piece(block.path("id").asString(""), block.path("name").asString(""), arguments);
      }
      // Redacted thoughts, and calls and results of tools that run at the vendor.
      default -> into.openExtension((ObjectNode) block);
    }
  }

  private static void delta(JsonNode delta, Draft into) {
    switch (delta.path("type").asString("")) {
      case "text_delta" -> into.text(delta.path("text").asString(""));
      case "thinking_delta" -> into.thinking(delta.path("thinking").asString(""));
      case "signature_delta" -> signature(delta.path("signature"), into);
      case "citations_delta" -> citation(delta.path("citation"), into);
      case "input_json_delta" -> {
        var piece = delta.path("partial_json").asString("");
        if (!into.extend(piece)) into.call(into.calls() - 1).piece("", "", piece);
      }
      default -> {}
    }
  }

  private static void citation(JsonNode citation, Draft into) {
    var title = citation.path("title").asString(citation.path("document_title").asString(""));
    var url = citation.path("url").asString(citation.path("source").asString(""));
    into.citation(url, title, citation.path("cited_text").asString(""));
  }

  private static void signature(JsonNode signature, Draft into) {
    if (signature.asString("").isEmpty()) return;
    into.sealThinking(JSON.createObjectNode().put("signature", signature.asString()));
  }

  // Anthropic does not count what is read from its cache, or written to it, as input.
  private static void usage(JsonNode usage, Draft.Spent spent) {
    if (usage.path("input_tokens").isNumber()) {
      spent.cached = usage.path("cache_read_input_tokens").asLong(spent.cached);
      spent.written = usage.path("cache_creation_input_tokens").asLong(spent.written);
      spent.input = usage.path("input_tokens").asLong(0) + spent.cached + spent.written;
    }
    spent.output = usage.path("output_tokens").asLong(spent.output);
  }
}
