package dev.superstep.mcp.config;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// A server in a file that cannot be used as it is written there, or a file of servers that is
/// none. Nothing of it was started or reached.
public final class InvalidMcpEntry extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String server;

  InvalidMcpEntry(String server, String why) {
    this(server, why, null);
  }

  InvalidMcpEntry(String server, String why, @Nullable Throwable cause) {
    super("mcp.bad-entry", "MCP server `" + server + "` cannot be used: " + why, cause);
    this.server = server;
  }

  /// The name of the server as the file has it, made harmless for a terminal; `.mcp.json` where the
  /// file itself is wrong.
  public String server() {
    return server;
  }
}
