/// The tools, resources and prompts of MCP servers, for agents and programs.
///
/// Start at [dev.superstep.mcp.McpServer].
@org.jspecify.annotations.NullMarked
module dev.superstep.mcp {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.sandbox;
  requires java.net.http;
  requires tools.jackson.databind;

  exports dev.superstep.mcp;
  exports dev.superstep.mcp.config;
  exports dev.superstep.mcp.internal.wire to
      dev.superstep.mcp.server;
  exports dev.superstep.mcp.oauth;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.mcp to
      tools.jackson.databind;
  opens dev.superstep.mcp.config to
      tools.jackson.databind;
  opens dev.superstep.mcp.internal.tool to
      tools.jackson.databind;
}
