package dev.superstep.testkit.model;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The rules of Ollama's `/api/chat`, from its documentation (docs.ollama.com/api/chat) and the
/// types into which its source decodes a request (ollama/ollama, api/types.go).
final class OllamaRules extends VendorRules {
  private static final Set<String> ROLES = Set.of("system", "user", "assistant", "tool");

  @Override
  void rules(String path, String text, JsonNode body) {
    // Docs: required.
    require(!text(body, "model").isEmpty(), "model is required");
    for (var message : body.path("messages")) {
      // api/types.go, template.Collate: other roles are passed to templates that know these.
      require(ROLES.contains(text(message, "role")), "invalid role: %s", text(message, "role"));
      // api/types.go, Message: content is a string.
      require(message.path("content").isString(), "cannot unmarshal content into a string");
      // api/types.go, ImageData: base64 of the bytes.
      for (var image : message.path("images")) base64(image.asString(""), "images");
      for (var call : message.path("tool_calls")) {
        // api/types.go, ToolCallFunctionArguments: a map.
        require(
            call.path("function").path("arguments").isObject(),
            "cannot unmarshal string into ToolCallFunctionArguments");
      }
    }
    for (var tool : body.path("tools")) {
      require(text(tool, "type").equals("function"), "tools.type: %s", text(tool, "type"));
      // api/types.go, ToolFunction.Parameters: a type and properties.
      require(
          text(tool.path("function").path("parameters"), "type").equals("object"),
          "tools.function.parameters.type");
    }
    var think = body.path("think");
    // api/types.go, ThinkValue: a boolean, or low, medium, high.
    require(
        think.isMissingNode()
            || think.isBoolean()
            || Set.of("low", "medium", "high").contains(think.asString("")),
        "invalid think value: %s",
        think);
    // Docs: "json" or a schema.
    var format = body.path("format");
    require(
        format.isMissingNode() || format.isObject() || format.asString("").equals("json"),
        "invalid format");
  }
}
