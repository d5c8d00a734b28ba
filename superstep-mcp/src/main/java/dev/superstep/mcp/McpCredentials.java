package dev.superstep.mcp;

import java.util.Optional;

/// Gives a server the token that it wants, at the moment of each request. Safe for many threads.
@FunctionalInterface
public interface McpCredentials {
  /// The token for the next request, or empty for none.
  Optional<String> token() throws InterruptedException;

  /// Looks for another token after the server refused one.
  ///
  /// @param challenge what the server said in `WWW-Authenticate`; may be empty
  /// @return whether it is worth to send the request once more
  default boolean refresh(String challenge) throws InterruptedException {
    return false;
  }
}
