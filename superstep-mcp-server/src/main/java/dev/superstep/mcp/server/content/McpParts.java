package dev.superstep.mcp.server.content;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.Content;

/// Content that only the protocol knows, for results, prompts and resources. Models and clients of
/// other protocols do not see it.
public final class McpParts {
  /// The vendor of these parts.
  public static final String VENDOR = "mcp";

  private McpParts() {}

  /// A text with the address of the resource that it comes from.
  public static Content resource(String uri, String mediaType, String text) {
    var part = Wire.object().put("type", "resource");
    part.putObject("resource").put("uri", uri).put("mimeType", mediaType).put("text", text);
    return of(Wire.json(part));
  }

  /// A link to a resource, which the client may read.
  public static Content link(String uri, String name) {
    return of(
        Wire.json(Wire.object().put("type", "resource_link").put("uri", uri).put("name", name)));
  }

  private static Content of(Json part) {
    return new Content.Extension(new Content.Seal(VENDOR, part));
  }
}
