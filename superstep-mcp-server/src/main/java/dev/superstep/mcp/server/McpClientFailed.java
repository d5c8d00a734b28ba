package dev.superstep.mcp.server;

import dev.superstep.json.SuperstepException;

/// The failure of a client to answer what a server asked it.
public final class McpClientFailed extends SuperstepException {
  private static final long serialVersionUID = 1;

  McpClientFailed(String message) {
    super("mcp.client-failed", message);
  }
}
