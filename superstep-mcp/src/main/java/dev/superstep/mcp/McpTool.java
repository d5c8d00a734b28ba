package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A tool as its server describes it. None of it is to be trusted. Immutable.
///
/// @param name as the server names it
/// @param inputSchema of its arguments
/// @param outputSchema of its structured result, if it promises one
/// @param hints on its effects, as the server sees them
/// @param definition all of this as JSON, which is what is approved
public record McpTool(
    String name,
    String title,
    String description,
    Json inputSchema,
    Optional<Json> outputSchema,
    Hints hints,
    Json definition) {
  private static final String[] KEPT = {
    "name", "title", "description", "inputSchema", "outputSchema", "annotations"
  };

  /// The effects of a tool as its server sees them.
  ///
  /// @param readOnly whether it changes nothing
  /// @param destructive whether it may destroy something
  /// @param idempotent whether a second call changes nothing more
  /// @param openWorld whether it reaches beyond the server
  public record Hints(
      boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {
    static Hints of(JsonNode annotations) {
      return new Hints(
          annotations.path("readOnlyHint").asBoolean(false),
          annotations.path("destructiveHint").asBoolean(true),
          annotations.path("idempotentHint").asBoolean(false),
          annotations.path("openWorldHint").asBoolean(true));
    }
  }

  static McpTool of(JsonNode told) {
    var kept = Wire.object();
    for (var field : KEPT) if (told.has(field)) kept.set(field, told.path(field));
    var output = told.path("outputSchema");
    return new McpTool(
        Wire.text(told, "name"),
        Wire.text(told, "title"),
        Wire.text(told, "description"),
        Wire.json(told.path("inputSchema")),
        output.isObject() ? Optional.of(Wire.json(output)) : Optional.empty(),
        Hints.of(told.path("annotations")),
        Wire.json(kept).canonical());
  }
}
