package dev.superstep.server.internal.wire;

import dev.superstep.message.Content;
import dev.superstep.server.internal.http.Fields;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The parts of messages as LangChain's content blocks. Those of older clients are read as well.
final class ContentJson {
  private static final Pattern DATA_URL = Pattern.compile("data:([^;,]+);base64,(.*)");
  private static final int URL_HEAD_MAX = 200;

  /// The blocks that models add to their content for calls, which `tool_calls` tells as well.
  private static final Set<String> CALLS =
      Set.of("tool_use", "tool_call", "tool_call_chunk", "input_json_delta", "function_call");

  private ContentJson() {}

  /// A text, or a list of blocks.
  static JsonNode write(List<Content> parts) {
    if (parts.isEmpty()) return text("");
    if (parts.size() == 1 && parts.getFirst() instanceof Content.Text(var text) && !text.isEmpty())
      return text(text);
    var blocks = JsonNodeFactory.instance.arrayNode();
    for (var part : parts) blocks.add(block(part));
    return blocks;
  }

  private static JsonNode text(String text) {
    return JsonNodeFactory.instance.stringNode(text);
  }

  private static ObjectNode block(Content part) {
    var block = Trees.object();
    switch (part) {
      case Content.Text(var text) -> block.put("type", "text").put("text", text);
      case Content.Data(var json) -> {
        block.put("type", "non_standard");
        block.set("value", Trees.of(json));
      }
      case Content.Image(var type, var data) ->
          block.put("type", "image").put("mimeType", type).put("data", data);
      case Content.ImageLink(var url) -> block.put("type", "image").put("url", url.toString());
      case Content.File(var type, var data, var name) -> {
        block.put("type", kind(type)).put("mimeType", type).put("data", data);
        if (!name.isEmpty()) block.putObject("metadata").put("filename", name);
      }
      case Content.FileLink(var type, var url) ->
          block.put("type", kind(type)).put("mimeType", type).put("url", url.toString());
      case Content.Thinking(var text, var seal) -> {
        block.put("type", "reasoning").put("reasoning", text);
        seal.ifPresent(one -> block.set("extras", Trees.object().set("seal", seal(one))));
      }
      case Content.Extension(var seal) -> {
        block.put("type", "extension");
        block.set("seal", seal(seal));
      }
    }
    return block;
  }

  private static String kind(String mediaType) {
    if (mediaType.startsWith("audio/")) return "audio";
    return mediaType.startsWith("video/") ? "video" : "file";
  }

  static ObjectNode seal(Content.Seal seal) {
    var json = Trees.object().put("vendor", seal.vendor());
    json.set("data", Trees.of(seal.data()));
    return json;
  }

  static Optional<Content.Seal> seal(JsonNode json, String where) {
    if (Fields.isNone(json)) return Optional.empty();
    var vendor = PlacedFields.required(json, "vendor", where);
    return Optional.of(new Content.Seal(vendor, Trees.json(json.path("data"), where + ".data")));
  }

  static List<Content> read(JsonNode content, String where) {
    if (Fields.isNone(content)) return List.of();
    if (content.isString()) return Content.of(content.stringValue());
    if (!content.isArray())
      throw PlacedFields.failure(where, "must be a string or a list of blocks");
    var parts = new ArrayList<Content>();
    int i = 0;
    for (var block : content) {
      var at = where + "[" + i++ + "]";
      if (block.isString()) parts.add(new Content.Text(block.stringValue()));
      else part(block, at).ifPresent(parts::add);
    }
    return List.copyOf(parts);
  }

  private static Optional<Content> part(JsonNode block, String where) {
    if (!block.isObject()) throw PlacedFields.failure(where, "must be a string or an object");
    var type = PlacedFields.required(block, "type", where);
    if (CALLS.contains(type)) return Optional.empty();
    return Optional.of(
        switch (type) {
          case "text" -> new Content.Text(PlacedFields.required(block, "text", where));
          case "non_standard" -> new Content.Data(Trees.json(block.path("value"), where));
          case "reasoning" -> thinking(block, "reasoning", where);
          case "thinking" -> thinking(block, "thinking", where);
          case "extension" ->
              new Content.Extension(
                  seal(block.path("seal"), where + ".seal")
                      .orElseThrow(() -> PlacedFields.failure(where, "needs the object `seal`")));
          case "image" -> media(block, true, where);
          case "image_url" -> imageUrl(block, where);
          case "file", "audio", "video" -> media(block, false, where);
          default -> new Content.Data(Trees.json(block, where));
        });
  }

  private static Content thinking(JsonNode block, String name, String where) {
    var seal = seal(block.path("extras").path("seal"), where + ".extras.seal");
    return new Content.Thinking(PlacedFields.text(block, name, where).orElse(""), seal);
  }

  private static Content imageUrl(JsonNode block, String where) {
    var value = block.path("image_url");
    var url =
        value.isString()
            ? value.stringValue()
            : PlacedFields.required(value, "url", where + ".image_url");
    return link(url, "", true, where);
  }

  private static Content media(JsonNode block, boolean isImage, String where) {
    var type = PlacedFields.either(block, "mimeType", "mime_type", where).orElse("");
    var data = PlacedFields.either(block, "data", "base64", where);
    if (data.isEmpty()) {
      var url = PlacedFields.text(block, "url", where);
      if (url.isEmpty()) throw PlacedFields.failure(where, "needs the string `data` or `url`");
      return link(url.get(), type, isImage, where);
    }
    if (type.isEmpty()) throw PlacedFields.failure(where, "needs the string `mimeType`");
    if (isImage) return new Content.Image(type, data.get());
    var about = block.path("metadata");
    var name =
        PlacedFields.either(about, "filename", "name", where + ".metadata")
            .or(() -> PlacedFields.text(block, "filename", where));
    return new Content.File(type, data.get(), name.orElse(""));
  }

  private static Content link(String url, String type, boolean isImage, String where) {
    var inline = url.startsWith("data:") ? inline(url) : Optional.<Content.File>empty();
    if (inline.isPresent()) {
      var file = inline.get();
      return isImage ? new Content.Image(file.mediaType(), file.base64()) : file;
    }
    try {
      var uri = new URI(url);
      if (isImage) return new Content.ImageLink(uri);
      return new Content.FileLink(type.isEmpty() ? "application/octet-stream" : type, uri);
    } catch (URISyntaxException e) {
      throw PlacedFields.failure(where, "has an unusable url: " + e.getReason());
    }
  }

  private static Optional<Content.File> inline(String url) {
    int comma = url.indexOf(',');
    if (comma < 0 || comma > URL_HEAD_MAX) return Optional.empty();
    var head = DATA_URL.matcher(url.substring(0, comma + 1));
    if (!head.matches()) return Optional.empty();
    return Optional.of(new Content.File(head.group(1), url.substring(comma + 1)));
  }
}
