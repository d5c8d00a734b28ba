package dev.superstep.mcp.oauth;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

/// This program as a service knows it.
///
/// @param secret empty for none
record OAuthClient(String id, String secret, Method method) {
  /// The way in which it shows who it is.
  enum Method {
    NONE,
    BASIC,
    POST
  }

  static OAuthClient of(String id, String secret, Set<String> methods) {
    if (secret.isEmpty()) return new OAuthClient(id, "", Method.NONE);
    boolean isBasic = methods.isEmpty() || methods.contains("client_secret_basic");
    if (isBasic) return new OAuthClient(id, secret, Method.BASIC);
    boolean isPost = methods.contains("client_secret_post");
    return new OAuthClient(id, secret, isPost ? Method.POST : Method.NONE);
  }

  /// Registers this program.
  static OAuthClient registered(AuthorizationServer by, URI redirect) throws InterruptedException {
    if (by.registration().isEmpty()) {
      throw new OAuthFailed(
          "`%s` does not let programs register themselves. Register it there, and give its id."
              .formatted(OAuthHttp.quoted(by.issuer())));
    }
    var body = OAuthHttp.JSON.createObjectNode();
    body.put("client_name", "Superstep");
    // A service may refuse addresses of this machine to programs that are not on one.
    body.put("application_type", redirect.getScheme().equals("https") ? "web" : "native");
    body.putArray("redirect_uris").add(redirect.toString());
    body.putArray("grant_types").add("authorization_code").add("refresh_token");
    body.putArray("response_types").add("code");
    body.put("token_endpoint_auth_method", wanted(by.tokenMethods()));
    if (!by.scope().isEmpty()) body.put("scope", by.scope());
    var answer = OAuthHttp.posted(by.registration().get(), body);
    var id = answer.body().path("client_id").asString("");
    if (answer.status() / 100 != 2 || id.isEmpty()) {
      throw new OAuthFailed("the registration was answered with status " + answer.status() + ".");
    }
    var granted = answer.body().path("token_endpoint_auth_method").asString("");
    var methods = granted.isEmpty() ? by.tokenMethods() : Set.of(granted);
    return of(id, answer.body().path("client_secret").asString(""), methods);
  }

  private static String wanted(Set<String> methods) {
    if (methods.isEmpty() || methods.contains("none")) return "none";
    return methods.contains("client_secret_basic") ? "client_secret_basic" : "client_secret_post";
  }

  /// Puts into a form what shows who it is.
  ///
  /// @return the header that does, or an empty text
  String authorized(Map<String, String> form) {
    switch (method) {
      case NONE -> form.put("client_id", id);
      case POST -> {
        form.put("client_id", id);
        form.put("client_secret", secret);
      }
      case BASIC -> {
        var both = OAuthHttp.encoded(id) + ":" + OAuthHttp.encoded(secret);
        var bytes = both.getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(bytes);
      }
    }
    return "";
  }

  @Override
  public String toString() {
    return "OAuthClient[" + id + "]";
  }
}
