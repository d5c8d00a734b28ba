package dev.superstep.mcp.server.internal.protocol;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.content.McpParts;
import dev.superstep.message.Content;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.ToolResult;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes content and results as clients read them.
public final class ContentJson {
  private ContentJson() {}

  /// The parts of a message; what no client takes is left out.
  public static ArrayNode parts(List<Content> content) {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var part : content) part(part).ifPresent(all::add);
    return all;
  }

  public static Optional<ObjectNode> part(Content content) {
    return switch (content) {
      case Content.Text(var text) -> Optional.of(text(text));
      case Content.Data(var json) -> Optional.of(text(json.text()));
      case Content.Image(var type, var base64) ->
          Optional.of(typed("image").put("data", base64).put("mimeType", type));
      case Content.ImageLink(var url) -> Optional.of(link(url.toString(), "image/*"));
      case Content.File(var type, var base64, var name) ->
          Optional.of(
              type.startsWith("audio/")
                  ? typed("audio").put("data", base64).put("mimeType", type)
                  : blob(type, base64, name));
      case Content.FileLink(var type, var url) -> Optional.of(link(url.toString(), type));
      case Content.Extension(var seal) ->
          seal.vendor().equals(McpParts.VENDOR) && Wire.tree(seal.data()) instanceof ObjectNode own
              ? Optional.of(own)
              : Optional.empty();
      case Content.Thinking _ -> Optional.empty();
    };
  }

  private static ObjectNode typed(String type) {
    return Wire.object().put("type", type);
  }

  public static ObjectNode text(String text) {
    return typed("text").put("text", Wire.whole(text));
  }

  private static ObjectNode link(String uri, String type) {
    return typed("resource_link").put("uri", uri).put("name", uri).put("mimeType", type);
  }

  private static ObjectNode blob(String type, String base64, String name) {
    var part = typed("resource");
    part.putObject("resource")
        .put(
            "uri", "file:///" + (name.isEmpty() ? "file" : name.replaceAll("[^A-Za-z0-9._-]", "_")))
        .put("mimeType", type)
        .put("blob", base64);
    return part;
  }

  /// The contents of a resource.
  public static ArrayNode contents(String uri, String mediaType, List<Content> content) {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var one : content) {
      var item = Wire.object().put("uri", uri);
      switch (one) {
        case Content.Text(var text) -> all.add(item.put("mimeType", mediaType).put("text", text));
        case Content.Data(var json) ->
            all.add(item.put("mimeType", mediaType).put("text", json.text()));
        case Content.Image(var type, var base64) ->
            all.add(item.put("mimeType", type).put("blob", base64));
        case Content.File(var type, var base64, _) ->
            all.add(item.put("mimeType", type).put("blob", base64));
        case Content.ImageLink _, Content.FileLink _, Content.Thinking _, Content.Extension _ -> {}
      }
    }
    return all;
  }

  /// The result of a call.
  ///
  /// @param schema of its value, if clients are told one
  public static ObjectNode result(ToolResult result, Optional<JsonSchema> schema) {
    var json = Wire.object();
    json.set("content", parts(result.content()));
    if (result.error()) return json.put("isError", true);
    var value = structured(result, schema);
    if (schema.isPresent()) {
      if (value.isEmpty()) return error("The tool did not give the result that it promises.");
      var problems = schema.get().check(Wire.json(value.get()));
      if (!problems.isEmpty()) {
        return error("The tool broke its own schema: " + problems.getFirst().sentence());
      }
    }
    value.ifPresent(known -> json.set("structuredContent", known));
    return json.put("isError", false);
  }

  private static Optional<JsonNode> structured(ToolResult result, Optional<JsonSchema> schema) {
    if (result.artifact().isPresent()) return object(result.artifact().get());
    if (schema.isEmpty()) return Optional.empty();
    try {
      return object(Json.parse(result.text()));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  private static Optional<JsonNode> object(Json value) {
    var tree = Wire.tree(value);
    return tree.isObject() ? Optional.of(tree) : Optional.empty();
  }

  public static ObjectNode error(String text) {
    var json = Wire.object();
    json.set("content", JsonNodeFactory.instance.arrayNode().add(text(text)));
    return json.put("isError", true);
  }
}
