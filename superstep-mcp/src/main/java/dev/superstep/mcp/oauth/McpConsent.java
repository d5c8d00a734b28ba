package dev.superstep.mcp.oauth;

import java.net.URI;
import java.util.function.Consumer;

/// Lets a person agree to an access, on a page of the service that grants it. Safe for many
/// threads.
public interface McpConsent {
  /// The address to which the browser of the person is sent afterwards.
  URI redirect();

  /// Has the page visited, and waits.
  ///
  /// @param page of the service: show its host, since the MCP server has named it
  /// @return the address to which the browser was sent, with its query
  URI visit(URI page) throws InterruptedException;

  /// A consent by a browser on this machine, which is sent to a port of this program.
  ///
  /// @param show opens or prints the page
  static McpConsent onThisMachine(Consumer<URI> show) {
    return new LoopbackConsent(show);
  }

  /// A consent where nobody is: tokens that were granted before are used and renewed, and others
  /// are not to be had.
  static McpConsent nobody() {
    return new NobodyConsent();
  }
}
