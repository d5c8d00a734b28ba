package dev.superstep.mcp.internal.transport;

import java.util.Optional;

/// Gives the token of the next request. Safe for many threads.
public interface TokenSource {
  /// The token, or empty for none.
  Optional<String> token() throws InterruptedException;

  /// Looks for another token after the server refused one.
  ///
  /// @param challenge what the server said in `WWW-Authenticate`; may be empty
  /// @return whether it is worth to send the request once more
  boolean refresh(String challenge) throws InterruptedException;
}
