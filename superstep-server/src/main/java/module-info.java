/// Serves graphs and agents over HTTP, so that LangGraph's clients work with them unchanged.
///
/// Start at [dev.superstep.server.AgentServer].
@org.jspecify.annotations.NullMarked
module dev.superstep.server {
  requires transitive dev.superstep.agent;
  requires transitive dev.superstep.service;
  requires static jakarta.servlet;
  requires com.nimbusds.jose.jwt;
  requires org.eclipse.jetty.server;
  requires org.eclipse.jetty.websocket.api;
  requires org.eclipse.jetty.websocket.server;
  requires org.slf4j;
  requires tools.jackson.databind;

  exports dev.superstep.server;
  exports dev.superstep.server.extension;
  exports dev.superstep.server.graph;
  exports dev.superstep.server.log;
  exports dev.superstep.server.options;
  exports dev.superstep.server.security;

  // Hidden records of these packages are stored as JSON.
  opens dev.superstep.server.internal.api.studio to
      tools.jackson.databind;
}
