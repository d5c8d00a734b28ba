package dev.superstep.mcp.oauth;

import dev.superstep.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Tokens with what renews them. Immutable.
///
/// @param redirect the address with which the program was registered
/// @param token for requests
/// @param renewal the token that gets others; empty for none
/// @param expires the time from which on it is renewed first; null for none
/// @param scope that a person has granted
record StoredGrant(
    AuthorizationServer by,
    OAuthClient client,
    String redirect,
    String token,
    String renewal,
    @org.jspecify.annotations.Nullable Instant expires,
    String scope) {
  private static final Duration EARLY = Duration.ofSeconds(30);
  private static final Duration LIFE_MAX = Duration.ofDays(3650);

  /// A grant by the answer of a service.
  ///
  /// @param before the token that renews, which stays if the service gives no other
  static StoredGrant of(
      AuthorizationServer by, OAuthClient client, String redirect, JsonNode answer, String before) {
    long seconds = answer.path("expires_in").asLong(0);
    boolean isEndless = seconds <= 0 || seconds > LIFE_MAX.toSeconds();
    var ends = Instant.now().plusSeconds(Math.max(1, seconds)).minus(EARLY);
    return new StoredGrant(
        by,
        client,
        redirect,
        answer.path("access_token").asString(""),
        answer.path("refresh_token").asString(before),
        isEndless ? null : ends,
        "");
  }

  StoredGrant withScope(String granted) {
    return new StoredGrant(by, client, redirect, token, renewal, expires, granted);
  }

  StoredGrant withClient(OAuthClient other) {
    return new StoredGrant(by, other, redirect, token, renewal, expires, scope);
  }

  boolean isOver() {
    return expires != null && !Instant.now().isBefore(expires);
  }

  McpGrant grant() {
    var all = OAuthHttp.JSON.createObjectNode();
    all.put("issuer", by.issuer());
    all.put("authorize", by.authorize().toString());
    all.put("tokens", by.token().toString());
    all.put("resource", by.resource());
    all.put("wanted", by.scope());
    all.put("client", client.id());
    all.put("secret", client.secret());
    all.put("method", client.method().name());
    all.put("redirect", redirect);
    all.put("token", token);
    all.put("renewal", renewal);
    if (expires != null) all.put("expires", expires.toString());
    all.put("scope", scope);
    return McpGrant.of(Json.parse(OAuthHttp.JSON.writeValueAsString(all)));
  }

  /// Reads a grant, or nothing if it is not one of this version.
  static Optional<StoredGrant> read(McpGrant grant) {
    try {
      var all = OAuthHttp.JSON.readTree(grant.secret().text());
      var by =
          new AuthorizationServer(
              text(all, "issuer"),
              OAuthHttp.checked(text(all, "authorize")),
              OAuthHttp.checked(text(all, "tokens")),
              Optional.empty(),
              Set.of(),
              false,
              false,
              text(all, "resource"),
              text(all, "wanted"));
      var method = OAuthClient.Method.valueOf(text(all, "method"));
      var client = new OAuthClient(text(all, "client"), text(all, "secret"), method);
      var ends = all.has("expires") ? Instant.parse(text(all, "expires")) : null;
      var token = text(all, "token");
      if (token.isEmpty()) return Optional.empty();
      return Optional.of(
          new StoredGrant(
              by,
              client,
              text(all, "redirect"),
              token,
              text(all, "renewal"),
              ends,
              text(all, "scope")));
    } catch (JacksonException
        | IllegalArgumentException
        | java.time.DateTimeException
        | OAuthFailed _) {
      return Optional.empty();
    }
  }

  private static String text(JsonNode all, String field) {
    return all.path(field).asString("");
  }

  @Override
  public String toString() {
    return "StoredGrant[" + by.issuer() + "]";
  }
}
