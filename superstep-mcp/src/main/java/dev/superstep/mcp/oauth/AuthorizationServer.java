package dev.superstep.mcp.oauth;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The service that grants access to a server, as it is found by the server's own metadata.
///
/// @param issuer empty if it has no metadata
/// @param registration where programs register themselves; empty if they cannot
/// @param namesItself whether its answers by the browser say that they are its own (RFC 9207)
/// @param resource what access is asked for
/// @param scope that the server wants; empty for none
record AuthorizationServer(
    String issuer,
    URI authorize,
    URI token,
    Optional<URI> registration,
    Set<String> tokenMethods,
    boolean takesDocuments,
    boolean namesItself,
    String resource,
    String scope) {
  private static final String RESOURCE = "/.well-known/oauth-protected-resource";
  private static final String SERVER = "/.well-known/oauth-authorization-server";
  private static final String OPENID = "/.well-known/openid-configuration";

  /// Finds it.
  static AuthorizationServer find(URI server, Challenge challenge) throws InterruptedException {
    var protectedBy = resource(server, challenge);
    if (protectedBy.isEmpty()) return old(server, challenge);
    var told = protectedBy.get();
    var resource = told.path("resource").asString("");
    if (!covers(resource, server)) {
      throw new OAuthFailed("its metadata is that of `%s`.".formatted(OAuthHttp.quoted(resource)));
    }
    var issuer = told.path("authorization_servers").path(0).asString("");
    if (issuer.isEmpty()) throw new OAuthFailed("its metadata names no service that grants it.");
    var metadata = metadata(OAuthHttp.checked(issuer));
    if (metadata.isEmpty()) {
      throw new OAuthFailed("`%s` has no metadata.".formatted(OAuthHttp.quoted(issuer)));
    }
    var scope =
        challenge.scope().isEmpty() ? joined(told.path("scopes_supported")) : challenge.scope();
    return of(issuer, metadata.get(), resource, scope);
  }

  private static AuthorizationServer of(
      String issuer, JsonNode metadata, String resource, String scope) {
    var named = metadata.path("issuer").asString("");
    if (!bare(named).equals(bare(issuer))) {
      throw new OAuthFailed(
          "the metadata of `%s` is another's.".formatted(OAuthHttp.quoted(issuer)));
    }
    if (!strings(metadata.path("code_challenge_methods_supported")).contains("S256")) {
      throw new OAuthFailed("`%s` does not know PKCE.".formatted(OAuthHttp.quoted(issuer)));
    }
    var registration = metadata.path("registration_endpoint").asString("");
    boolean isLasting = strings(metadata.path("scopes_supported")).contains("offline_access");
    var wanted = new LinkedHashSet<>(List.of(scope.split(" ", -1)));
    if (isLasting) wanted.add("offline_access");
    wanted.remove("");
    return new AuthorizationServer(
        named,
        OAuthHttp.checked(metadata.path("authorization_endpoint").asString("")),
        OAuthHttp.checked(metadata.path("token_endpoint").asString("")),
        registration.isEmpty() ? Optional.empty() : Optional.of(OAuthHttp.checked(registration)),
        strings(metadata.path("token_endpoint_auth_methods_supported")),
        metadata.path("client_id_metadata_document_supported").asBoolean(false),
        metadata.path("authorization_response_iss_parameter_supported").asBoolean(false),
        resource,
        String.join(" ", wanted));
  }

  /// By revision 2025-03-26: the server grants access by itself.
  private static AuthorizationServer old(URI server, Challenge challenge)
      throws InterruptedException {
    var origin = origin(server);
    var metadata = OAuthHttp.found(origin.resolve(SERVER));
    if (metadata.isPresent()) {
      // It is the server's own word, whatever the path of its issuer.
      var issuer = metadata.get().path("issuer").asString("");
      boolean isOwn = origin(OAuthHttp.checked(issuer)).equals(origin);
      return of(isOwn ? issuer : origin.toString(), metadata.get(), "", challenge.scope());
    }
    return new AuthorizationServer(
        "",
        origin.resolve("/authorize"),
        origin.resolve("/token"),
        Optional.of(origin.resolve("/register")),
        Set.of(),
        false,
        false,
        "",
        challenge.scope());
  }

  private static Optional<JsonNode> resource(URI server, Challenge challenge)
      throws InterruptedException {
    if (!challenge.metadata().isEmpty()) {
      return OAuthHttp.found(OAuthHttp.checked(challenge.metadata()));
    }
    var path = server.getRawPath() == null ? "" : server.getRawPath();
    var below = OAuthHttp.found(origin(server).resolve(RESOURCE + (path.equals("/") ? "" : path)));
    return below.isPresent() ? below : OAuthHttp.found(origin(server).resolve(RESOURCE));
  }

  private static Optional<JsonNode> metadata(URI issuer) throws InterruptedException {
    var path = bare(issuer.getRawPath() == null ? "" : issuer.getRawPath());
    var places = new ArrayList<String>();
    places.add(SERVER + path);
    places.add(OPENID + path);
    if (!path.isEmpty()) places.add(path + OPENID);
    for (var place : places) {
      var found = OAuthHttp.found(origin(issuer).resolve(place));
      if (found.isPresent()) return found;
    }
    return Optional.empty();
  }

  /// Returns whether a resource is the server, or has it below.
  private static boolean covers(String resource, URI server) {
    var mine = bare(server.toString());
    var its = bare(resource);
    return mine.equals(its) || (mine.startsWith(its + "/") && its.length() > "https://".length());
  }

  private static String bare(String address) {
    return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
  }

  private static URI origin(URI address) {
    return URI.create(address.getScheme() + "://" + address.getRawAuthority());
  }

  static Set<String> strings(JsonNode list) {
    var all = new LinkedHashSet<String>();
    for (var one : list) all.add(one.asString(""));
    return all;
  }

  private static String joined(JsonNode list) {
    return String.join(" ", strings(list));
  }
}
