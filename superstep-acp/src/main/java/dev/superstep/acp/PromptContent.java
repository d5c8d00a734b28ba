package dev.superstep.acp;

import dev.superstep.message.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The parts of prompts, as editors send them and as models get them.
final class PromptContent {
  private static final int BLOCKS_MAX = 1_000;
  private static final int URI_MAX = 4_000;

  private PromptContent() {}

  /// Reads a prompt.
  ///
  /// @param images whether the agent takes pictures
  static List<Content> read(JsonNode prompt, boolean images) throws RpcFailure {
    if (!prompt.isArray() || prompt.isEmpty()) {
      throw RpcFailure.params("`prompt` must be a list with at least one part.");
    }
    if (prompt.size() > BLOCKS_MAX) {
      throw RpcFailure.params(
          "`prompt` has %,d parts, and at most %,d are taken."
              .formatted(prompt.size(), BLOCKS_MAX));
    }
    var parts = new ArrayList<Content>();
    for (var block : prompt) parts.add(part(block, images));
    return parts;
  }

  private static Content part(JsonNode block, boolean images) throws RpcFailure {
    return switch (Wire.text(block, "type")) {
      case "text" -> new Content.Text(required(block, "text"));
      case "resource_link" -> new Content.Text(link(block));
      case "resource" -> resource(block.path("resource"), images);
      case "image" -> image(required(block, "mimeType"), required(block, "data"), images);
      case "audio" -> throw RpcFailure.params("This agent takes no audio.");
      default ->
          throw RpcFailure.params(
              "A part of `prompt` must have a `type`: text, resource_link, resource or image.");
    };
  }

  private static String required(JsonNode block, String field) throws RpcFailure {
    if (block.path(field).isString()) return Wire.text(block, field);
    throw RpcFailure.params("A part of `prompt` has no text `" + field + "`.");
  }

  private static String link(JsonNode block) throws RpcFailure {
    var name = Wire.cut(Wire.text(block, "name"), URI_MAX).replaceAll("[\\[\\]\\p{Cntrl}]", " ");
    return "[%s](%s)".formatted(name, uri(block));
  }

  private static String uri(JsonNode block) throws RpcFailure {
    var uri = required(block, "uri");
    if (uri.length() > URI_MAX) throw RpcFailure.params("A `uri` of `prompt` is too long.");
    return uri.replaceAll("[\\p{Cntrl}\\s]", "%20");
  }

  private static Content resource(JsonNode resource, boolean images) throws RpcFailure {
    var uri = uri(resource);
    if (resource.path("text").isString()) {
      var text = Wire.text(resource, "text");
      return new Content.Text("\n[begin of %s]\n%s\n[end of %s]\n".formatted(uri, text, uri));
    }
    var data = required(resource, "blob");
    var type = Wire.text(resource, "mimeType");
    if (images && type.startsWith("image/")) return image(type, data, true);
    throw RpcFailure.params(
        "The resource %s is of the type `%s`, which this agent does not take."
            .formatted(uri, type));
  }

  private static Content image(String type, String data, boolean images) throws RpcFailure {
    if (!images) throw RpcFailure.params("This agent takes no pictures.");
    if (!type.matches("image/[a-zA-Z0-9.+-]{1,100}") || !data.matches("[A-Za-z0-9+/]+={0,2}")) {
      throw RpcFailure.params(
          "A picture of `prompt` must have an image type, and its data in base64.");
    }
    return new Content.Image(type, data);
  }

  /// A part of a stored message as an editor shows it, if it can.
  static Optional<ObjectNode> block(Content part) {
    return switch (part) {
      case Content.Text(var text) when text.isEmpty() -> Optional.empty();
      case Content.Text(var text) -> Optional.of(text(text));
      case Content.Data(var json) -> Optional.of(text(json.text()));
      case Content.Image(var type, var bytes) ->
          Optional.of(Wire.object().put("type", "image").put("mimeType", type).put("data", bytes));
      case Content.ImageLink _,
          Content.File _,
          Content.FileLink _,
          Content.Thinking _,
          Content.Extension _ ->
          Optional.empty();
    };
  }

  static ObjectNode text(String text) {
    return Wire.object().put("type", "text").put("text", Wire.whole(text));
  }
}
