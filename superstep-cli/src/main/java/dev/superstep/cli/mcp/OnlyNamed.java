package dev.superstep.cli.mcp;

import dev.superstep.json.Json;
import dev.superstep.schema.JsonSchema;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;

/// Stands for a tool of an MCP server where nothing is started.
final class OnlyNamed {
  private static final JsonSchema ANY = JsonSchema.parse(Json.parse("{\"type\":\"object\"}"));

  private OnlyNamed() {}

  static Tool tool(String name) {
    return Tool.of(
        name,
        "A tool of an MCP server.",
        ANY,
        (_, _) -> ToolResult.error("No MCP server is started here."));
  }
}
