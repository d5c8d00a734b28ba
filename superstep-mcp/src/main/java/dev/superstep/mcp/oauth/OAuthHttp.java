package dev.superstep.mcp.oauth;

import dev.superstep.mcp.internal.wire.BoundedHttp;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Speaks with services that grant access: over TLS, or with this machine. Follows no redirects.
final class OAuthHttp {
  static final JsonMapper JSON = new JsonMapper();

  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(10))
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private static final Duration MOST = Duration.ofSeconds(20);
  private static final int BODY_MAX = 200_000;
  private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

  private OAuthHttp() {}

  /// Checks an address that somebody else has named.
  ///
  /// @throws OAuthFailed if secrets must not be sent there
  static URI checked(String address) {
    try {
      var uri = new URI(address);
      var scheme = String.valueOf(uri.getScheme());
      boolean isHere = scheme.equals("http") && HERE.contains(String.valueOf(uri.getHost()));
      if ((isHere || scheme.equals("https"))
          && uri.getUserInfo() == null
          && uri.getHost() != null) {
        return uri;
      }
    } catch (java.net.URISyntaxException _) {
      // told below
    }
    throw new OAuthFailed("an address is not one of TLS: `%s`.".formatted(quoted(address)));
  }

  static String quoted(String text) {
    return dev.superstep.tool.ToolError.quote(text);
  }

  /// Gets a JSON object, or nothing if there is none.
  static Optional<JsonNode> found(URI address) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(address).timeout(MOST).header("Accept", "application/json").build();
    var answer = sent(request);
    return answer.status() == 200 && answer.body().isObject()
        ? Optional.of(answer.body())
        : Optional.empty();
  }

  /// An answer.
  record Answer(int status, JsonNode body) {}

  static Answer posted(URI address, ObjectNode body) throws InterruptedException {
    var text = HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
    return sent(
        HttpRequest.newBuilder(address)
            .timeout(MOST)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json")
            .POST(text)
            .build());
  }

  /// Posts a form.
  ///
  /// @param authorization may be empty
  static Answer posted(URI address, Map<String, String> form, String authorization)
      throws InterruptedException {
    var request =
        HttpRequest.newBuilder(address)
            .timeout(MOST)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(query(form)));
    if (!authorization.isEmpty()) request.header("Authorization", authorization);
    return sent(request.build());
  }

  private static Answer sent(HttpRequest request) throws InterruptedException {
    return sent(request, MOST);
  }

  /// Sends a request.
  ///
  /// @param most the time for all of it
  static Answer sent(HttpRequest request, Duration most) throws InterruptedException {
    try {
      var response = BoundedHttp.send(HTTP, request, _ -> BoundedHttp.atMost(BODY_MAX), most);
      var text = new String(response.body(), StandardCharsets.UTF_8);
      return new Answer(response.statusCode(), tree(text));
    } catch (HttpTimeoutException e) {
      var why = request.uri().getHost() + " did not answer within " + most.toMillis() + " ms.";
      throw new OAuthFailed(why, e);
    } catch (IOException e) {
      throw new OAuthFailed(request.uri().getHost() + " cannot be reached.", e);
    }
  }

  private static JsonNode tree(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException _) {
      return JSON.createObjectNode();
    }
  }

  static String query(Map<String, String> form) {
    return form.entrySet().stream()
        .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
        .collect(Collectors.joining("&"));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
