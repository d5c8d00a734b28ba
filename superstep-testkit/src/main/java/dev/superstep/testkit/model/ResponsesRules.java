package dev.superstep.testkit.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The rules by which OpenAI's responses refuse requests.
final class ResponsesRules extends VendorRules {
  private static final Pattern DATA = Pattern.compile("(?s)data:[a-z/+.-]+;base64,.*");

  private static final Set<String> FIELDS =
      Set.of(
          "model",
          "input",
          "instructions",
          "tools",
          "tool_choice",
          "text",
          "temperature",
          "top_p",
          "max_output_tokens",
          "reasoning",
          "stream",
          "store",
          "include",
          "parallel_tool_calls",
          "metadata",
          "truncation",
          "user",
          "service_tier",
          "prompt_cache_key",
          "background",
          "previous_response_id",
          "max_tool_calls",
          "top_logprobs",
          "conversation",
          "prompt");

  @Override
  void rules(String path, String text, JsonNode body) {
    // developers.openai.com, "PDF files": 50 MB of files in a request, as base64 here.
    sized(text, 70);
    // Reported: "Unknown parameter: 'seed'"; there is no `stop` either.
    known(body, "request", FIELDS);
    var model = text(body, "model");
    between(body.path("temperature"), 0, 2, "temperature");
    between(body.path("top_p"), 0, 1, "top_p");
    tools(body);
    input(body.path("input"));
    // Reported in vercel/ai#7543 and langchain-ai/langchain#38372: "Item with id 'rs_...' not
    // found.
    // Items are not persisted when `store` is set to false".
    for (var item : body.path("input")) {
      require(
          body.path("store").asBoolean(true)
              || !text(item, "type").equals("reasoning")
              || item.hasNonNull("encrypted_content"),
          "Item with id '%s' not found. Items are not persisted when `store` is set to false",
          text(item, "id"));
    }
    var format = body.path("text").path("format");
    if (text(format, "type").equals("json_schema")) {
      named(text(format, "name"), OpenAiRules.NAME, "text.format.name");
      OpenAiRules.answerSchema(this, format.path("schema"), format.path("strict").asBoolean(false));
    }
    var effort = text(body.path("reasoning"), "effort");
    OpenAiRules.effort(this, effort, model);
    OpenAiRules.sampling(this, body, effort, model);
    // Reported in pydantic/pydantic-ai#2865 for gpt-4o, and in #3326 for gpt-5-chat-latest:
    // "Encrypted content is not supported with this model".
    require(
        body.path("include").isEmpty()
            || (model.matches("(o\\d|gpt-[5-9]|codex).*") && !model.contains("-chat")),
        "Encrypted content is not supported with this model");
  }

  private void tools(JsonNode body) {
    // developers.openai.com, "Tool search": deferred tools need `tool_search` beside them.
    var tools = body.path("tools");
    require(
        tools.valueStream().noneMatch(tool -> tool.path("defer_loading").asBoolean(false))
            || tools.valueStream().anyMatch(tool -> text(tool, "type").equals("tool_search")),
        "tools: `defer_loading` needs the tool `tool_search`");
    var names = new ArrayList<String>();
    for (var tool : tools) {
      require(!text(tool, "type").isEmpty(), "tools.type: Field required");
      if (!text(tool, "type").equals("function")) continue;
      names.add(text(tool, "name"));
      named(text(tool, "name"), OpenAiRules.NAME, "tools.name");
      // As for chat completions, see there.
      topLevel(tool.path("parameters"), "tools.parameters");
      // api/reference/responses: strict unless it is false, and then closed.
      if (tool.path("strict").asBoolean(true)) {
        strict(tool.path("parameters"), "tools.parameters", true, Set.of("allOf", "oneOf"));
      }
    }
    once(names, "tools");
  }

  private void input(JsonNode input) {
    require(input.size() > 0, "input: too short");
    var open = new HashSet<String>();
    boolean isAfterThought = false;
    for (var item : input) {
      var type = text(item, "type");
      // Reported in openai/openai-node#1567 and vercel/ai#7099: "Item 'rs_1' of type 'reasoning'
      // was
      // provided without its required following item."
      boolean isMade =
          type.equals("function_call") || text(item, "role").equals("assistant") || isHosted(type);
      require(
          !isAfterThought || isMade || type.equals("reasoning"),
          "Item of type 'reasoning' was provided without its required following item");
      isAfterThought = type.equals("reasoning");
      switch (type) {
        case "function_call" -> {
          open.add(text(item, "call_id"));
          // Reported in RooCodeInc/Roo-Code#10763: "input[11].call_id: string too long. Expected a
          // string with maximum length 64".
          require(text(item, "call_id").length() <= 64, "call_id: string too long");
          named(text(item, "name"), OpenAiRules.NAME, "function_call.name");
        }
        // Reported: "No tool call found for function call output with call_id ...".
        case "function_call_output" -> {
          require(
              open.remove(text(item, "call_id")), "No tool call found for function call output");
          parts(item.path("output"));
        }
        case "", "message" -> parts(item.path("content"));
        default -> {}
      }
    }
    // Reported: "No tool output found for function call ...".
    require(open.isEmpty(), "No tool output found for function call %s", open);
  }

  private static boolean isHosted(String type) {
    return type.endsWith("_call") && !type.equals("function_call");
  }

  private void parts(JsonNode content) {
    if (!content.isArray()) return;
    for (var part : content) {
      switch (text(part, "type")) {
        case "input_text", "output_text" -> {}
        // developers.openai.com, "Images and vision": PNG, JPEG, WEBP and GIF.
        case "input_image" ->
            require(
                text(part, "image_url")
                    .matches("(?s)data:image/(png|jpeg|webp|gif);base64,.*|https?://.*"),
                "input_image: unsupported image");
        // developers.openai.com, "PDF files": a name with the bytes, or a URL.
        case "input_file" ->
            require(
                part.has("file_url")
                    || (!text(part, "filename").isEmpty() && isDataUrl(text(part, "file_data"))),
                "input_file: needs filename and file_data, or file_url");
        default -> require(false, "content.type: `%s`", text(part, "type"));
      }
    }
  }

  private static boolean isDataUrl(String url) {
    return DATA.matcher(url).matches();
  }
}
