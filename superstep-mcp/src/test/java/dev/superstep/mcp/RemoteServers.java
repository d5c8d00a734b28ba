package dev.superstep.mcp;

import dev.superstep.checkpoint.KeyRing;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.mcp.oauth.McpOAuth;
import dev.superstep.mcp.oauth.McpTokens;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// The lines of the guide about servers elsewhere: calls as tasks, and tokens that are kept.
final class RemoteServers {
  private RemoteServers() {}

  static McpServer press(URI address) {
    return McpServer.http("press", address).tasks(Duration.ofHours(8)).asking();
  }

  static McpServer tracker(URI address, McpConsent consent, Path file, KeyRing keys) {
    var tokens = McpTokens.in(file, keys);
    return McpServer.http("tracker", address)
        .credentials(McpOAuth.of(address, consent).tokens(tokens));
  }
}
