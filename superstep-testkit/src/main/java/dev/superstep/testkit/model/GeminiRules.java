package dev.superstep.testkit.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The rules by which Google's `generateContent` refuses requests.
final class GeminiRules extends VendorRules {
  // ai.google.dev/api/caching, FunctionDeclaration: "a-z, A-Z, 0-9, or contain underscores, colons,
  // dots, and dashes, with a maximum length of 64"; Vertex adds that it starts with a letter or an
  // underscore.
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}");

  // ai.google.dev/api/generate-content, responseJsonSchema: the keywords that it supports.
  private static final Set<String> KEYWORDS =
      Set.of(
          "$id",
          "$defs",
          "$ref",
          "$anchor",
          "type",
          "format",
          "title",
          "description",
          "enum",
          "items",
          "prefixItems",
          "minItems",
          "maxItems",
          "minimum",
          "maximum",
          "anyOf",
          "oneOf",
          "properties",
          "additionalProperties",
          "required",
          "propertyOrdering");

  private static final Set<String> FIELDS =
      Set.of(
          "contents",
          "systemInstruction",
          "tools",
          "toolConfig",
          "generationConfig",
          "safetySettings",
          "cachedContent",
          "store",
          "serviceTier");

  @Override
  void rules(String path, String text, JsonNode body) {
    // ai.google.dev, "Files API": a request with inline data is at most 20 MB; 100 MB since 2026.
    sized(text, 100);
    // Reported: "Invalid JSON payload received. Unknown name \"x\": Cannot find field."
    known(body, "request", FIELDS);
    var model = path.replaceAll(".*/models/([^:/?]+).*", "$1");
    tools(body, model);
    contents(body.path("contents"), model);
    config(body.path("generationConfig"), model);
  }

  private void tools(JsonNode body, String model) {
    var names = new ArrayList<String>();
    boolean isHosted = false;
    for (var tool : body.path("tools")) {
      isHosted |= !tool.has("functionDeclarations");
      for (var function : tool.path("functionDeclarations")) {
        names.add(text(function, "name"));
        named(text(function, "name"), NAME, "functionDeclarations.name");
        // ai.google.dev/api/caching: parameters and parametersJsonSchema are mutually exclusive.
        require(
            !(function.has("parameters") && function.has("parametersJsonSchema")),
            "parameters and parametersJsonSchema are mutually exclusive");
        var schema = function.path("parametersJsonSchema");
        // Reported: "parameters schema should be of type OBJECT".
        if (!schema.isMissingNode()) topLevel(schema, "functionDeclarations.parameters");
        keywords(schema);
      }
    }
    // Reported: "Duplicate function declaration found".
    once(names, "functionDeclarations");
    // Reported before Gemini 3 in googleapis/go-genai#323: "Tool use with function calling is
    // unsupported".
    require(
        !isHosted || names.isEmpty() || !model.startsWith("gemini-2"),
        "Tool use with function calling is unsupported");
    // ai.google.dev/gemini-api/docs/generate-content/tool-combination: since Gemini 3, with a flag.
    require(
        !isHosted
            || names.isEmpty()
            || body.path("toolConfig").path("includeServerSideToolInvocations").asBoolean(false),
        "includeServerSideToolInvocations must be set to combine tools");
    // Reported before Gemini 3 in googleapis/python-genai#867 and symfony/ai#1777: "Function
    // calling
    // with a response mime type: 'application/json' is unsupported".
    var type = text(body.path("generationConfig"), "responseMimeType");
    require(
        names.isEmpty() || !type.equals("application/json") || !model.startsWith("gemini-2"),
        "Function calling with a response mime type: 'application/json' is unsupported");
    for (var name : body.at("/toolConfig/functionCallingConfig/allowedFunctionNames")) {
      // ai.google.dev/api/caching: names of declared functions, with mode ANY.
      require(names.contains(name.asString()), "allowedFunctionNames: unknown function");
    }
  }

  private void keywords(JsonNode schema) {
    if (!schema.isObject()) return;
    for (var property : schema.properties()) {
      var key = property.getKey();
      require(KEYWORDS.contains(key), "Unknown name \"%s\" at 'schema'", key);
      switch (key) {
        case "properties", "$defs" -> property.getValue().forEach(this::keywords);
        case "anyOf", "oneOf", "prefixItems" -> property.getValue().forEach(this::keywords);
        case "items", "additionalProperties" -> keywords(property.getValue());
        default -> {}
      }
    }
  }

  private void contents(JsonNode contents, String model) {
    // Reported: "contents is not specified".
    require(contents.size() > 0, "GenerateContentRequest.contents: contents is not specified");
    int calls = 0;
    var before = "";
    for (var content : contents) {
      var role = text(content, "role");
      require(role.equals("user") || role.equals("model"), "Please use a valid role: user, model");
      require(content.path("parts").size() > 0, "contents.parts must not be empty");
      int asked = 0;
      int answered = 0;
      for (var part : content.path("parts")) {
        asked += part.has("functionCall") ? 1 : 0;
        answered += part.has("functionResponse") ? 1 : 0;
        part(part);
      }
      // Reported: "Please ensure that the number of function response parts is equal to the number
      // of function call parts of the function call turn."
      require(answered == calls, "function response parts %d, function calls %d", answered, calls);
      // Reported: "Please ensure that function call turn comes immediately after a user turn or
      // after a function response turn."
      require(asked == 0 || before.equals("user"), "function call turn after %s", before);
      if (asked > 0 && model.startsWith("gemini-3")) signature(content);
      calls = asked;
      before = role;
    }
    require(calls == 0, "function calls without responses");
  }

  // ai.google.dev, "Thought signatures": Gemini 3 demands that of the first call of a step; a call
  // of
  // another model is excused by one of two words, which we do not check here.
  private void signature(JsonNode content) {
    for (var part : content.path("parts")) {
      if (!part.has("functionCall")) continue;
      require(part.has("thoughtSignature"), "Function call is missing a thought_signature");
      return;
    }
  }

  private void part(JsonNode part) {
    for (var name : List.of("functionCall", "functionResponse")) {
      if (part.has(name)) named(text(part.path(name), "name"), NAME, name);
    }
    require(
        !part.has("functionResponse") || part.path("functionResponse").path("response").isObject(),
        "functionResponse.response: must be an object");
    if (!part.has("inlineData")) return;
    // ai.google.dev, "Image/Audio/Video/Document understanding": the types.
    named(
        text(part.path("inlineData"), "mimeType"),
        Pattern.compile(
            "image/(png|jpeg|webp|heic|heif)|audio/(wav|mp3|mpeg|aiff|aac|ogg|flac)"
                + "|video/(mp4|mpeg|mov|avi|x-flv|mpg|webm|wmv|3gpp)|application/pdf|text/.*"),
        "inlineData.mimeType");
    base64(text(part.path("inlineData"), "data"), "inlineData.data");
  }

  private void config(JsonNode config, String model) {
    between(config.path("temperature"), 0, 2, "temperature");
    // ai.google.dev/api/generate-content: "up to 5".
    require(config.path("stopSequences").size() <= 5, "stopSequences: at most 5");
    if (config.has("responseJsonSchema")) {
      // The same page: responseMimeType must be application/json.
      require(
          text(config, "responseMimeType").equals("application/json"),
          "responseJsonSchema needs responseMimeType application/json");
      require(!config.has("responseSchema"), "responseSchema beside responseJsonSchema");
      keywords(config.path("responseJsonSchema"));
    }
    var thinking = config.path("thinkingConfig");
    // ai.google.dev, "Thinking": one of the two; a level since Gemini 3, a budget before.
    require(
        !(thinking.has("thinkingBudget") && thinking.has("thinkingLevel")),
        "You can only set only one of thinking budget and thinking level.");
    require(
        !thinking.has("thinkingLevel") || !model.startsWith("gemini-2"),
        "Thinking level is not supported for this model.");
    int budget = thinking.path("thinkingBudget").asInt(0);
    // The same page: 2.5 Pro from 128 to 32768, Flash from 0 to 24576.
    require(
        !thinking.has("thinkingBudget") || !model.contains("2.5-pro") || budget >= 128,
        "The thinking budget %d is invalid. Please choose a value between 128 and 32768.",
        budget);
    require(budget <= 32_768, "The thinking budget %d is invalid", budget);
    var level = text(thinking, "thinkingLevel");
    require(Set.of("", "minimal", "low", "medium", "high").contains(level), "level `%s`", level);
    // The same page: 3 Pro has low and high, 3.1 Pro medium, too; minimal is of Flash models.
    require(
        !(level.equals("minimal") || level.equals("medium")) || !model.startsWith("gemini-3-pro"),
        "Thinking level %s is not supported for this model.",
        level);
    require(
        !level.equals("minimal") || !model.contains("pro"),
        "Thinking level minimal is not supported for this model.");
  }
}
