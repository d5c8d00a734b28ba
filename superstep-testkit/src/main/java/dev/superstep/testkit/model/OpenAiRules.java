package dev.superstep.testkit.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The rules of chat completions: OpenAI's, Mistral's, and those of servers that demand a model's
/// thoughts back.
final class OpenAiRules extends VendorRules {
  // developers.openai.com, api/reference/chat: "a-z, A-Z, 0-9, or contain underscores and dashes,
  // with a maximum length of 64".
  static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

  // developers.openai.com, "Structured outputs", supported schemas. Limits of texts and numbers are
  // supported since 2025.
  private static final Set<String> NOT_STRICT =
      Set.of("allOf", "oneOf", "not", "dependentRequired");

  private static final Set<String> FIELDS =
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
          "max_tokens",
          "max_completion_tokens",
          "reasoning_effort",
          "stream",
          "stream_options",
          "n",
          "logprobs",
          "top_logprobs",
          "parallel_tool_calls",
          "user",
          "metadata",
          "store",
          "modalities",
          "audio",
          "service_tier",
          "prompt_cache_key",
          "verbosity",
          "web_search_options",
          "random_seed",
          "safe_prompt",
          "prompt_mode",
          "logit_bias",
          "presence_penalty",
          "frequency_penalty");

  private final Kind kind;
  private final Map<String, String> thoughts;

  enum Kind {
    OPENAI,
    MISTRAL,
    SERVER
  }

  /// @param thoughts what the server thought before each call, by its id
  OpenAiRules(Kind kind, Map<String, String> thoughts) {
    this.kind = kind;
    this.thoughts = Map.copyOf(thoughts);
  }

  @Override
  void rules(String path, String text, JsonNode body) {
    // developers.openai.com, "Images and vision": 50 MB of files in a request; for the others not
    // verified.
    sized(text, 70);
    known(body, "request", FIELDS);
    var model = text(body, "model");
    between(body.path("temperature"), 0, 2, "temperature");
    between(body.path("top_p"), 0, 1, "top_p");
    tools(body);
    conversation(body.path("messages"));
    format(body.path("response_format"));
    // api/reference/chat: "Up to 4 sequences".
    require(kind != Kind.OPENAI || body.path("stop").size() <= 4, "stop: at most 4");
    if (kind == Kind.OPENAI) model(body, model);
    if (kind == Kind.MISTRAL) mistral(body);
  }

  private void tools(JsonNode body) {
    var names = new ArrayList<String>();
    for (var tool : body.path("tools")) {
      if (kind == Kind.SERVER && !text(tool, "type").equals("function")) continue;
      // api/reference/chat: type is function or custom; other tools are those of the responses.
      require(text(tool, "type").equals("function"), "tools.type: `%s`", text(tool, "type"));
      var function = tool.path("function");
      names.add(text(function, "name"));
      named(text(function, "name"), NAME, "tools.function.name");
      // Reported in langchain-ai/langchainjs#9804 and others: "schema must have type 'object' and
      // not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level".
      topLevel(function.path("parameters"), "tools.function.parameters");
    }
    once(names, "tools");
    // api/reference/chat: at most 128.
    require(names.size() <= 128, "tools: array too long");
    // Reported: "'tool_choice' is only allowed when 'tools' are specified".
    require(
        !body.has("tool_choice") || body.path("tools").size() > 0,
        "'tool_choice' is only allowed when 'tools' are specified");
  }

  private void conversation(JsonNode messages) {
    require(messages.size() > 0, "messages: too short");
    var open = new HashSet<String>();
    for (var message : messages) {
      var role = text(message, "role");
      if (role.equals("tool")) {
        // Reported: "messages with role 'tool' must be a response to a preceeding message with
        // 'tool_calls'".
        require(open.remove(text(message, "tool_call_id")), "role 'tool' without its tool_calls");
        continue;
      }
      // Reported: "An assistant message with 'tool_calls' must be followed by tool messages
      // responding to each 'tool_call_id'".
      require(open.isEmpty(), "tool_calls without tool messages: %s", open);
      open.clear();
      if (role.equals("assistant")) assistant(message, open);
      else parts(message.path("content"), role);
    }
    require(open.isEmpty(), "tool_calls without tool messages: %s", open);
  }

  private void assistant(JsonNode message, Set<String> open) {
    // Reported: "Invalid value for 'content': expected a string, got null" without calls.
    require(
        message.path("content").isString() || message.has("tool_calls"),
        "content: expected a string, got null");
    for (var call : message.path("tool_calls")) {
      var id = text(call, "id");
      open.add(id);
      // Reported in agno-agi/agno#5382: "tool_calls[0].id: string too long. Expected a string with
      // maximum length 40"; in decolua/9router#3167: 64.
      require(
          !id.isEmpty() && (id.length() <= 40 || kind != Kind.OPENAI), "tool_calls.id: too long");
      named(text(call.path("function"), "name"), NAME, "tool_calls.function.name");
      require(call.path("function").path("arguments").isString(), "arguments: must be a string");
      var thought = thoughts.get(id);
      // api-docs.deepseek.com, "Thinking mode": for turns with tool calls reasoning_content must be
      // passed back in all later requests, else 400.
      require(
          thought == null || text(message, "reasoning_content").equals(thought),
          "The `reasoning_content` in the thinking mode must be passed back to the API.");
    }
  }

  private void parts(JsonNode content, String role) {
    if (!content.isArray()) {
      require(content.isString(), "content of %s: expected a string or an array", role);
      return;
    }
    for (var part : content) {
      switch (text(part, "type")) {
        case "text" -> {}
        case "image_url" -> image(text(part.path("image_url"), "url"));
        case "input_audio" -> {
          // api/reference/chat: "Currently supports wav and mp3"; base64 without a URL.
          named(
              text(part.path("input_audio"), "format"), Pattern.compile("wav|mp3"), "input_audio");
          base64(text(part.path("input_audio"), "data"), "input_audio.data");
        }
        case "file" -> {
          // developers.openai.com, "PDF files": a name and a data URL.
          require(!text(part.path("file"), "filename").isEmpty(), "file.filename: required");
          named(
              text(part.path("file"), "file_data"),
              Pattern.compile("data:application/pdf;base64,.*", Pattern.DOTALL),
              "file.file_data");
        }
        // Servers such as vLLM; OpenAI has no films.
        case "video_url" -> require(kind == Kind.SERVER, "content.type: video_url");
        default -> require(false, "content.type: `%s`", text(part, "type"));
      }
    }
  }

  // developers.openai.com, "Images and vision": PNG, JPEG, WEBP and GIF.
  private void image(String url) {
    require(
        url.matches("(?s)data:image/(png|jpeg|webp|gif);base64,.*|https?://.*"),
        "image_url: unsupported image");
  }

  private void format(JsonNode format) {
    if (!text(format, "type").equals("json_schema")) return;
    var inner = format.path("json_schema");
    named(text(inner, "name"), NAME, "response_format.json_schema.name");
    answerSchema(this, inner.path("schema"), inner.path("strict").asBoolean(false));
  }

  /// The rules for the schema of an answer.
  static void answerSchema(VendorRules rules, JsonNode schema, boolean isStrict) {
    // developers.openai.com, "Structured outputs": "Root objects must not be anyOf and must be an
    // object".
    rules.topLevel(schema, "response_format.schema");
    // The same page: all fields required, additionalProperties false.
    if (isStrict) rules.strict(schema, "response_format.schema", true, NOT_STRICT);
  }

  private void model(JsonNode body, String model) {
    effort(this, text(body, "reasoning_effort"), model);
    sampling(this, body, text(body, "reasoning_effort"), model);
    boolean isReasoning = model.matches("(o\\d|gpt-[5-9]).*");
    // Reported: "Unsupported parameter: 'max_tokens' is not supported with this model. Use
    // 'max_completion_tokens' instead."
    require(!isReasoning || !body.has("max_tokens"), "'max_tokens' is not supported");
  }

  /// The levels of effort of each model, from the refusals that users have reported ("Unsupported
  /// value: 'minimal' is not supported with the 'gpt-5.1' model", openai/openai-agents-python#2089)
  /// and the table of litellm 1.109.1.
  static void effort(VendorRules rules, String effort, String model) {
    if (effort.isEmpty()) return;
    List<String> levels;
    if (model.matches("o\\d.*")) levels = List.of("low", "medium", "high");
    else if (model.startsWith("gpt-5.1")) levels = List.of("none", "low", "medium", "high");
    else if (model.matches("gpt-5\\.[2-9](-mini|-nano|-\\d.*)?")) {
      levels = List.of("none", "low", "medium", "high", "xhigh");
    } else if (model.matches("gpt-5(-mini|-nano|-\\d.*)?")) {
      levels = List.of("minimal", "low", "medium", "high");
    } else if (model.matches("gpt-[34].*")) levels = List.of();
    else levels = List.of("none", "low", "medium", "high", "xhigh", "max");
    rules.require(
        levels.contains(effort),
        "Unsupported value: '%s' is not supported with '%s'",
        effort,
        model);
  }

  /// Models that think have no temperature while they do: developers.openai.com, "Using GPT-5.2":
  /// temperature and top_p are supported with effort none only.
  static void sampling(VendorRules rules, JsonNode body, String effort, String model) {
    if (!body.has("temperature") && !body.has("top_p")) return;
    boolean mayNot =
        model.matches("(o\\d|gpt-5(-.*)?$).*")
            || (model.matches("gpt-5\\..*") && !effort.isEmpty() && !effort.equals("none"));
    rules.require(!mayNot, "Unsupported parameter: 'temperature' or 'top_p' with this model");
  }

  private void mistral(JsonNode body) {
    for (var name : List.of("reasoning_effort", "seed", "stream_options")) {
      // Reported: "Extra inputs are not permitted".
      require(!body.has(name), "%s: Extra inputs are not permitted", name);
    }
    for (var message : body.path("messages")) {
      for (var call : message.path("tool_calls")) id(text(call, "id"));
      if (text(message, "role").equals("tool")) id(text(message, "tool_call_id"));
    }
    var messages = body.path("messages");
    // Reported in NousResearch/hermes-agent#20154, with code 3230 in charmbracelet/crush#279:
    // "Unexpected role 'user' after role 'tool'".
    for (int i = 1; i < messages.size(); i++) {
      require(
          !text(messages.path(i), "role").equals("user")
              || !text(messages.path(i - 1), "role").equals("tool"),
          "Unexpected role 'user' after role 'tool'");
    }
    // Reported in huggingface/smolagents#757 and microsoft/autogen#5044: "Expected last role User
    // or
    // Tool (or Assistant with prefix True) for serving but got assistant".
    require(
        !text(messages.path(messages.size() - 1), "role").equals("assistant"),
        "Expected last role User or Tool for serving but got assistant");
  }

  // Reported in langchain-ai/langchain#24668 and karthink/gptel#1203: "Tool call id was call_1 but
  // must be a-z, A-Z, 0-9, with a length of 9."
  private void id(String id) {
    require(
        id.matches("[a-zA-Z0-9]{9}"),
        "Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9.",
        id);
  }

  /// A server's thoughts, by the ids of the calls after them.
  static Map<String, String> thoughts(List<Answer.Says> said) {
    var all = new HashMap<String, String>();
    for (var reply : said) {
      if (reply.thoughts().isEmpty()) continue;
      for (var call : reply.calls()) all.put(call.id(), reply.thought());
    }
    return all;
  }
}
