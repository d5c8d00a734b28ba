package dev.superstep.server.security;

import java.util.Map;
import java.util.Set;

/// Somebody who uses the server, as an [Authenticator] knows them. Immutable.
///
/// @param id unique, such as the subject of a token
/// @param permissions what they may do, in the words of the issuer
/// @param claims what else is known of them, such as their tenant
public record Principal(String id, Set<String> permissions, Map<String, String> claims) {
  /// Anybody, where nobody needs to say who they are.
  public static final Principal ANONYMOUS = new Principal("anonymous", Set.of(), Map.of());

  public Principal {
    permissions = Set.copyOf(permissions);
    claims = Map.copyOf(claims);
  }
}
