/// Serves tools, agents, graphs and flows to clients of the Model Context Protocol, by standard
/// streams and by HTTP.
///
/// Start at [dev.superstep.mcp.server.McpHost].
@org.jspecify.annotations.NullMarked
module dev.superstep.mcp.server {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.mcp;
  requires transitive dev.superstep.server;
  requires transitive dev.superstep.service;
  requires org.slf4j;
  requires tools.jackson.databind;

  exports dev.superstep.mcp.server;
  exports dev.superstep.mcp.server.content;
  exports dev.superstep.mcp.server.options;

  // Hidden records of this package are stored as JSON.
  opens dev.superstep.mcp.server.internal.call to
      tools.jackson.databind;
}
