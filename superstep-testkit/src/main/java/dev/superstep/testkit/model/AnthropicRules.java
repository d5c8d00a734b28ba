package dev.superstep.testkit.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The rules by which Anthropic's messages refuse requests.
final class AnthropicRules extends VendorRules {
  // platform.claude.com/docs, "Define tools": a name matches this; later pages allow 128.
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

  // Reported in HKUDS/nanobot#4356: "String should match pattern '^[a-zA-Z0-9_-]+$'".
  private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");

  private static final Set<String> FIELDS =
      Set.of(
          "model",
          "messages",
          "system",
          "max_tokens",
          "tools",
          "tool_choice",
          "temperature",
          "top_p",
          "top_k",
          "stop_sequences",
          "stream",
          "thinking",
          "output_config",
          "metadata",
          "service_tier",
          "cache_control",
          "container",
          "mcp_servers",
          "context_management");

  /// The models before Claude 4.6.
  private static final String OLD = "claude-(3.*|[a-z]+-4(-[0-5])?([-@](\\d{8}|latest))?)";

  private static final Set<String> MARKABLE =
      Set.of("text", "image", "document", "tool_use", "tool_result");

  private final List<JsonNode> marks = new ArrayList<>();

  @Override
  void rules(String path, String text, JsonNode body) {
    // platform.claude.com/docs/en/api/overview: the largest request of Messages is 32 MB.
    sized(text, 32);
    // Reported: "x: Extra inputs are not permitted".
    known(body, "request", FIELDS);
    var model = text(body, "model");
    // docs, api/messages: required.
    require(body.path("max_tokens").asInt(0) >= 1, "max_tokens: Field required");
    // docs, api/messages: "Ranges from 0.0 to 1.0".
    between(body.path("temperature"), 0, 1, "temperature");
    between(body.path("top_p"), 0, 1, "top_p");
    tools(body);
    for (var block : body.path("system")) block(block, "system");
    conversation(body, model);
    thinking(body, model);
    format(body);
    sampling(body, model);
    marks();
  }

  private void tools(JsonNode body) {
    var names = new ArrayList<String>();
    for (var tool : body.path("tools")) {
      var name = text(tool, "name");
      // A toolset of a server has none.
      if (!name.isEmpty()) names.add(name);
      mark(tool, "tools");
      // A tool that runs there has a type with a date, and no schema.
      if (!tool.has("input_schema")) {
        require(!text(tool, "type").isEmpty(), "tools: a tool needs input_schema or type");
        continue;
      }
      named(name, NAME, "tools.name");
      // Reported in anthropics/claude-code#5973: "input_schema does not support oneOf, allOf, or
      // anyOf at the top level"; the type must be object (docs, "Define tools").
      topLevel(tool.path("input_schema"), "tools.custom.input_schema");
    }
    deferred(body, names);
    servers(body);
    // Reported in danny-avila/LibreChat#13162: "tools: Tool names must be unique."
    once(names, "tools");
    // Reported: "tool_choice may only be specified while providing tools".
    require(
        !body.has("tool_choice") || !names.isEmpty(),
        "tool_choice may only be specified while providing tools");
    var forced = text(body.path("tool_choice"), "name");
    require(forced.isEmpty() || names.contains(forced), "tool_choice: Tool '%s' not found", forced);
  }

  // docs, "MCP connector": each server has exactly one toolset, and each toolset a server.
  private void servers(JsonNode body) {
    var servers = body.path("mcp_servers").valueStream().map(s -> text(s, "name")).sorted();
    var toolsets =
        body.path("tools")
            .valueStream()
            .filter(tool -> text(tool, "type").equals("mcp_toolset"))
            .map(tool -> text(tool, "mcp_server_name"))
            .sorted();
    require(servers.toList().equals(toolsets.toList()), "mcp_servers: one toolset for each server");
  }

  // docs, "Tool search tool": a tool with `defer_loading` cannot have `cache_control`; "All tools
  // have defer_loading set. At least one tool must be non-deferred."; "Tool reference '...' has no
  // corresponding tool definition".
  private void deferred(JsonNode body, List<String> names) {
    boolean hasShown = body.path("tools").isEmpty();
    for (var tool : body.path("tools")) {
      boolean isDeferred = tool.path("defer_loading").asBoolean(false);
      hasShown |= !isDeferred;
      require(
          !isDeferred || !tool.has("cache_control"),
          "Tool '%s' cannot have both defer_loading=true and cache_control set",
          text(tool, "name"));
    }
    require(hasShown, "At least one tool must be non-deferred");
    for (var message : body.path("messages")) {
      for (var block : message.path("content")) {
        for (var found : block.path("content").path("tool_references")) {
          require(
              names.contains(text(found, "tool_name")),
              "Tool reference '%s' has no corresponding tool definition",
              text(found, "tool_name"));
        }
      }
    }
  }

  private void conversation(JsonNode body, String model) {
    var messages = body.path("messages");
    // docs, api/messages: at least one; the first one is the user's.
    require(messages.size() > 0, "messages: at least one message is required");
    require(text(messages.path(0), "role").equals("user"), "messages: first message must be user");
    Set<String> open = Set.of();
    for (var message : messages) {
      var role = text(message, "role");
      require(role.equals("user") || role.equals("assistant"), "messages.role: `%s`", role);
      var results = new HashSet<String>();
      var calls = new HashSet<String>();
      require(message.path("content").size() > 0, "messages: content must be non-empty");
      for (var block : message.path("content")) {
        block(block, "messages.content");
        if (text(block, "type").equals("tool_use")) {
          calls.add(text(block, "id"));
          named(text(block, "id"), ID, "tool_use.id");
          named(text(block, "name"), NAME, "tool_use.name");
          require(block.path("input").isObject(), "tool_use.input: should be an object");
        }
        if (text(block, "type").equals("tool_result")) results.add(text(block, "tool_use_id"));
      }
      // docs, "Handle tool calls": results come in the message right after the calls, all of them;
      // "`tool_use` ids were found without `tool_result` blocks immediately after".
      require(results.containsAll(open), "tool_use ids without tool_result after them: %s", open);
      require(open.containsAll(results), "tool_result without its tool_use before: %s", results);
      open = calls;
    }
    require(open.isEmpty(), "tool_use ids were found without tool_result blocks: %s", open);
    hosted(messages);
    end(messages, model);
  }

  // Reported in anthropics/anthropic-sdk-python#1339: "`web_search` tool use with id ... was found
  // without a corresponding `web_search_tool_result` block"; docs, "Server tools": it is without
  // one while the turn is paused, and beside calls that the results of the next turn answer.
  private void hosted(JsonNode messages) {
    for (int i = 0; i + 1 < messages.size(); i++) {
      var next = messages.path(i + 1).path("content");
      if (next.valueStream().anyMatch(b -> text(b, "type").equals("tool_result"))) continue;
      var ended = new HashSet<String>();
      for (var block : messages.path(i).path("content")) ended.add(text(block, "tool_use_id"));
      for (var block : messages.path(i).path("content")) {
        require(
            !text(block, "type").equals("server_tool_use") || ended.contains(text(block, "id")),
            "tool use with id %s was found without a corresponding result block",
            text(block, "id"));
      }
    }
  }

  private void end(JsonNode messages, String model) {
    var last = messages.path(messages.size() - 1);
    if (!text(last, "role").equals("assistant")) return;
    // docs, "What's new in Claude 4.6": "Prefilling assistant messages is not supported".
    boolean isOld = model.matches(OLD);
    var end = text(last.path("content").path(last.path("content").size() - 1), "type");
    // docs, "Server tools": a turn that was paused goes back as it is.
    if (end.equals("server_tool_use") || end.endsWith("_tool_result")) return;
    require(isOld, "This model does not support assistant message prefill");
    // Reported in langchain-ai/langchain#35071: "final assistant content cannot end with trailing
    // whitespace".
    var said = text(last.path("content").path(last.path("content").size() - 1), "text");
    require(said.equals(said.stripTrailing()), "final assistant content ends with whitespace");
  }

  private void block(JsonNode block, String where) {
    mark(block, where);
    switch (text(block, "type")) {
      // Reported in anthropics/claude-code#59812 and #23440: "text content blocks must be
      // non-empty", "must contain non-whitespace text"; by LibreChat-AI/agents#124 a blank one
      // passes
      // beside others with text, which is not relied on here.
      case "text" -> require(!text(block, "text").isBlank(), "%s: text must be non-empty", where);
      case "image" -> image(block.path("source"));
      case "document" -> document(block.path("source"));
      // docs, "Extended thinking": blocks go back unchanged, with their signature.
      case "thinking" ->
          require(!text(block, "signature").isEmpty(), "thinking.signature: Field required");
      case "tool_result" -> {
        for (var part : block.path("content")) block(part, "tool_result.content");
      }
      default -> {}
    }
  }

  private void image(JsonNode source) {
    if (text(source, "type").equals("url")) return;
    // docs, "Vision": JPEG, PNG, GIF and WebP; at most 5 MB each by the API.
    named(text(source, "media_type"), Pattern.compile("image/(jpeg|png|gif|webp)"), "image.source");
    base64(text(source, "data"), "image.source.base64");
    require(text(source, "data").length() * 3L / 4 <= 5 << 20, "image exceeds 5 MB maximum");
  }

  private void document(JsonNode source) {
    if (text(source, "type").equals("url")) return;
    // docs, "PDF support": `application/pdf` in base64, or plain text.
    named(text(source, "media_type"), Pattern.compile("application/pdf|text/plain"), "document");
    if (text(source, "type").equals("base64")) base64(text(source, "data"), "document.source");
  }

  private void mark(JsonNode block, String where) {
    if (!block.has("cache_control")) return;
    marks.add(block.path("cache_control"));
    if (where.equals("tools")) return;
    // docs, "Prompt caching": thinking blocks cannot be marked, nor empty texts.
    require(
        MARKABLE.contains(text(block, "type")),
        "%s: cache_control on %s",
        where,
        block.path("type"));
    require(
        !text(block, "type").equals("text") || !text(block, "text").isEmpty(),
        "%s: cache_control cannot be set for empty text blocks",
        where);
  }

  private void marks() {
    // Reported in run-llama/llama_index#20854: "A maximum of 4 blocks with cache_control may be
    // provided. Found 29."
    require(marks.size() <= 4, "A maximum of 4 blocks with cache_control. Found %d", marks.size());
    // docs, "Prompt caching", mixing TTLs: those of an hour come before those of five minutes.
    boolean isShort = false;
    for (var mark : marks) {
      boolean isLong = text(mark, "ttl").equals("1h");
      require(!isLong || !isShort, "a ttl='1h' cache_control must not come after a ttl='5m' one");
      isShort |= !isLong;
    }
  }

  private void thinking(JsonNode body, String model) {
    var thinking = body.path("thinking");
    var type = text(thinking, "type");
    if (type.equals("enabled")) {
      int budget = thinking.path("budget_tokens").asInt(0);
      // docs, "Extended thinking": at least 1,024, and less than max_tokens.
      require(budget >= 1024, "thinking.enabled.budget_tokens: should be at least 1024");
      require(
          budget < body.path("max_tokens").asInt(0),
          "max_tokens must be greater than budget_tokens");
      // docs, "What's new in Claude 4.7": adaptive thinking only.
      boolean isAdaptive = model.matches("claude-([a-z]+-(4-[7-9]|[5-9])|fable|mythos).*");
      require(!isAdaptive, "thinking.type: `enabled` is not supported by this model");
    }
    // docs, "Adaptive thinking": since Opus 4.6.
    require(
        !type.equals("adaptive") || !model.matches(OLD),
        "thinking.type: `adaptive` is not supported by this model");
    var choice = text(body.path("tool_choice"), "type");
    boolean isForced = choice.equals("any") || choice.equals("tool");
    // docs, "Tool choice": the models since 5.1 and 5.5 that litellm 1.109.1 lists without forced
    // tool use.
    require(
        !isForced || !model.matches("claude-((opus|sonnet)-5-5|(fable|mythos)-5-1).*"),
        "tool_choice: this model does not support forced tool use");
    if (!type.equals("enabled") && !type.equals("adaptive")) return;
    // docs, "Extended thinking" with tools: auto or none only.
    require(!isForced, "Thinking may not be enabled when tool_choice forces tool use.");
    // docs, "Extended thinking": not compatible with temperature or top_k; top_p from 0.95.
    require(
        !body.has("temperature") || body.path("temperature").asDouble() == 1,
        "`temperature` may only be set to 1 when thinking is enabled");
    between(body.path("top_p"), 0.95, 1, "top_p with thinking");
    afterCalls(body, type);
  }

  private void afterCalls(JsonNode body, String type) {
    var messages = body.path("messages");
    var before = messages.path(messages.size() - 2);
    boolean isCalling =
        before.path("content").valueStream().anyMatch(b -> text(b, "type").equals("tool_use"));
    if (!isCalling || !type.equals("enabled")) return;
    // Reported in anomalyco/opencode#3077 and mastra-ai/mastra#7799: "Expected `thinking` or
    // `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant`
    // message must start with a thinking block".
    require(
        text(before.path("content").path(0), "type").endsWith("thinking"),
        "Expected `thinking` or `redacted_thinking` before `tool_use`");
  }

  private void format(JsonNode body) {
    var format = body.path("output_config").path("format");
    // docs, "Structured outputs", JSON Schema limitations: closed objects, no recursion, no limits
    // of numbers and texts.
    if (format.has("schema")) {
      strict(
          format.path("schema"),
          "output_config.format.schema",
          false,
          Set.of(
              "minimum",
              "maximum",
              "exclusiveMinimum",
              "exclusiveMaximum",
              "multipleOf",
              "minLength",
              "maxLength",
              "maxItems",
              "minProperties",
              "maxProperties",
              "oneOf",
              "not",
              "prefixItems"));
      // Not verified: that an answer, too, must not have alternatives at the top.
      topLevel(format.path("schema"), "output_config.format.schema");
    }
    // docs, "Effort": low, medium, high; xhigh since Opus 4.7, max since 4.6.
    var effort = text(body.path("output_config"), "effort");
    require(
        Set.of("", "low", "medium", "high", "xhigh", "max").contains(effort),
        "output_config.effort: `%s`",
        effort);
    require(
        !effort.equals("xhigh") || !text(body, "model").matches("claude-[a-z]+-4-[56].*"),
        "output_config.effort: xhigh is not supported by this model");
  }

  private void sampling(JsonNode body, String model) {
    // docs, "What's new in Claude 4.7": temperature, top_p and top_k other than the default are
    // refused; litellm 1.109.1 lists the models.
    require(
        !(body.has("temperature") || body.has("top_p"))
            || !model.matches("claude-([a-z]+-(4-[7-9]|[5-9])|fable|mythos).*"),
        "sampling parameters are not supported by this model");
    // Reported since Opus 4.1: "`temperature` and `top_p` cannot both be specified for this model".
    require(
        !(body.has("temperature") && body.has("top_p"))
            || !model.matches("claude-(opus-4-1|[a-z]+-4-[56]).*"),
        "`temperature` and `top_p` cannot both be specified for this model");
  }
}
