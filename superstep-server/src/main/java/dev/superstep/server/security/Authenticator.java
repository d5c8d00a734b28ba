package dev.superstep.server.security;

import java.util.Optional;

/// Finds out who sent a request. Safe for many threads.
@FunctionalInterface
public interface Authenticator {
  /// Returns the sender, or empty if the request does not show one; the client then gets status
  /// 401.
  Optional<Principal> authenticate(Credentials credentials);

  /// The credentials that a request shows.
  interface Credentials {
    /// The value of a header, whatever the case of its name.
    Optional<String> header(String name);
  }

  /// Takes every request for one of [Principal#ANONYMOUS].
  static Authenticator nobody() {
    return credentials -> Optional.of(Principal.ANONYMOUS);
  }
}
