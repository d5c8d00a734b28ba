package dev.superstep.mcp.oauth;

import dev.superstep.json.Json;

/// The access that a person granted to this program at a server: tokens, and the program as the
/// service knows it. All of it is secret: store it encrypted, and log none of it. It is no value of
/// a closed type, so that no state, event or step can hold it. Immutable.
public final class McpGrant {
  private final Json secret;

  private McpGrant(Json secret) {
    this.secret = secret;
  }

  /// A grant as it was stored.
  ///
  /// @param secret of [#secret]
  public static McpGrant of(Json secret) {
    return new McpGrant(secret);
  }

  /// All of it, for a store and for nothing else. Its form may change between versions.
  public Json secret() {
    return secret;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof McpGrant grant && grant.secret.equals(secret);
  }

  @Override
  public int hashCode() {
    return secret.hashCode();
  }

  /// Tells nothing of the secret.
  @Override
  public String toString() {
    return "McpGrant[hidden]";
  }
}
