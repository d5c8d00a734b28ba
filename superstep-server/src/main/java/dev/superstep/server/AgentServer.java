package dev.superstep.server;

/// Serves graphs and agents over HTTP.
public final class AgentServer {
  private AgentServer() {}
}
