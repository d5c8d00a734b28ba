package dev.superstep.mcp.oauth;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// An authorization that did not come about.
public final class OAuthFailed extends SuperstepException {
  private static final long serialVersionUID = 1;

  OAuthFailed(String what) {
    this(what, null);
  }

  OAuthFailed(String what, @Nullable Throwable cause) {
    super("mcp.oauth", "No access to the MCP server: " + what, cause);
  }
}
