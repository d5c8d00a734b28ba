package dev.superstep.mcp.oauth;

import dev.superstep.checkpoint.KeyRing;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// A store for what a person has granted, by server, so that a new process asks nobody again. Safe
/// for many threads.
public interface McpTokens {
  /// The grant for a server.
  Optional<McpGrant> find(URI server);

  /// Changes the grant for a server, while nobody else changes it, in this process or another. A
  /// refresh token may be valid only once, so it is used within a change.
  ///
  /// @return the grant after the change
  /// @throws OAuthFailed if it cannot be stored, or another one changes it for too long
  Optional<McpGrant> change(URI server, Change change) throws InterruptedException;

  /// A change of a grant.
  @FunctionalInterface
  interface Change {
    /// The grant that counts from now on; empty for none.
    Optional<McpGrant> of(Optional<McpGrant> now) throws InterruptedException;
  }

  /// A store in memory, which ends with the process.
  static McpTokens inMemory() {
    return new MemoryTokens();
  }

  /// A store in a file that only its owner may read, encrypted by AES-GCM. Several processes may
  /// use it.
  static McpTokens in(Path file, KeyRing keys) {
    return new FileTokens(file, keys);
  }
}
