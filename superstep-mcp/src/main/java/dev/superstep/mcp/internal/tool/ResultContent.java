package dev.superstep.mcp.internal.tool;

import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Content;
import dev.superstep.tool.ToolError;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Makes content for models of the content of a server. What a vendor would refuse, and with it the
/// whole conversation from then on, is told in words instead.
public final class ResultContent {
  private static final Set<String> PICTURES =
      Set.of("image/png", "image/jpeg", "image/gif", "image/webp");
  private static final Set<String> FILES =
      Set.of("audio/wav", "audio/mpeg", "audio/mp3", "application/pdf");
  private static final int PARTS_MAX = 200;

  private final int mediaBytes;

  /// @param mediaBytes of one picture or recording
  public ResultContent(int mediaBytes) {
    this.mediaBytes = mediaBytes;
  }

  /// The parts of a list.
  public List<Content> parts(JsonNode list) {
    var parts = new ArrayList<Content>();
    for (var one : list) {
      if (parts.size() == PARTS_MAX) {
        parts.add(note("%d parts more".formatted(list.size() - PARTS_MAX)));
        break;
      }
      var part = part(one);
      if (!(part instanceof Content.Text(var text) && text.isEmpty())) parts.add(part);
    }
    return List.copyOf(parts);
  }

  /// The content of a part.
  public Content part(JsonNode part) {
    var type = Wire.text(part, "type");
    return switch (type) {
      case "text" -> new Content.Text(Wire.text(part, "text"));
      case "image", "audio" -> media(part.path("mimeType"), part.path("data"), "");
      case "resource" -> resource(part.path("resource"));
      case "resource_link" -> link(part);
      default -> note("content of the unknown type `" + ToolError.quote(type) + "`");
    };
  }

  /// The contents of a resource.
  public Content resource(JsonNode resource) {
    var uri = ToolError.quote(Wire.text(resource, "uri"));
    if (resource.path("text").isString()) {
      return new Content.Text("[resource " + uri + "]\n" + Wire.text(resource, "text"));
    }
    return media(resource.path("mimeType"), resource.path("blob"), uri);
  }

  private static Content link(JsonNode part) {
    var uri = ToolError.quote(Wire.text(part, "uri"));
    var name = ToolError.quote(Wire.text(part, "name"));
    return new Content.Text("[link to resource " + uri + ": " + name + "]");
  }

  private Content media(JsonNode type, JsonNode data, String name) {
    var media = type.asString("");
    var shown = ToolError.quote(media);
    boolean isPicture = PICTURES.contains(media);
    if (!isPicture && !FILES.contains(media)) return note("content of type `" + shown + "`");
    if (!data.isString()) return note("`" + shown + "` without data");
    var base64 = data.asString();
    if (base64.length() > mediaBytes / 3L * 4) return note("`" + shown + "`, too large");
    if (base64.isEmpty() || !isBase64(base64)) return note("`" + shown + "` that is not base64");
    return isPicture ? new Content.Image(media, base64) : new Content.File(media, base64, name);
  }

  private static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Content note(String what) {
    return new Content.Text("[left out: " + what + "]");
  }
}
