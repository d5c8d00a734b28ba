package dev.superstep.a2a.client;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.node.NodeContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends requests to an agent elsewhere. For one task.
final class RpcClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration REQUEST = Duration.ofSeconds(30);
  private static final int TRIES = 20;
  private static final int BODY_MAX = 8 << 20;

  private final A2aAgent agent;
  private final NodeContext context;
  private @Nullable URI endpoint;

  RpcClient(A2aAgent agent, NodeContext context) {
    this.agent = agent;
    this.context = context;
  }

  A2aAgent agent() {
    return agent;
  }

  /// Calls a method, again if the agent cannot be reached.
  ///
  /// @throws A2aFailed if it refuses
  JsonNode call(String method, ObjectNode params) throws InterruptedException {
    return call(method, params, TRIES);
  }

  JsonNode call(String method, ObjectNode params, int tries) throws InterruptedException {
    if (endpoint == null) endpoint = endpoint(tries);
    var body = Trees.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    body.set("params", params);
    var request =
        request(endpoint)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(Trees.text(body)));
    var answer = sent(request, tries);
    var error = answer.path("error");
    if (error.isObject()) {
      throw A2aFailed.refused(
          agent, error.path("code").asInt(0), error.path("message").asString("no reason"));
    }
    if (answer.path("result").isObject()) return answer.path("result");
    throw A2aFailed.misbehaved(agent, "an answer to " + method + " has no result");
  }

  private URI endpoint(int tries) throws InterruptedException {
    var base = agent.address().toString();
    if (base.endsWith("/")) base = base.substring(0, base.length() - 1);
    var card = sent(request(URI.create(base + "/.well-known/agent-card.json")).GET(), tries);
    for (var one : card.path("supportedInterfaces")) {
      boolean isOurs =
          one.path("protocolBinding").asString("").equals("JSONRPC")
              && one.path("protocolVersion").asString("").startsWith("1.");
      if (isOurs) return checked(one.path("url").asString(""));
    }
    throw A2aFailed.misbehaved(agent, "its card has no JSON-RPC interface of version 1");
  }

  /// The headers, and with them the key, go to the host that was named here and to no other.
  private URI checked(String url) {
    URI named;
    try {
      named = URI.create(url);
    } catch (IllegalArgumentException _) {
      throw A2aFailed.misbehaved(agent, "its card names an endpoint that is no URL");
    }
    var own = agent.address();
    boolean isSame =
        own.getScheme().equals(named.getScheme())
            && own.getAuthority().equalsIgnoreCase(String.valueOf(named.getAuthority()));
    if (isSame) return named;
    throw A2aFailed.misbehaved(
        agent, "its card names an endpoint of another host, " + url + ", which gets no key");
  }

  private HttpRequest.Builder request(URI uri) {
    var request = HttpRequest.newBuilder(uri).timeout(REQUEST).header("A2A-Version", "1.0");
    agent.headers().forEach(request::setHeader);
    return request;
  }

  private JsonNode sent(HttpRequest.Builder request, int tries) throws InterruptedException {
    for (int i = 1; ; i++) {
      try {
        var response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        String text;
        try (var in = response.body()) {
          var bytes = in.readNBytes(BODY_MAX + 1);
          if (bytes.length > BODY_MAX) {
            throw A2aFailed.misbehaved(agent, "an answer has more than " + BODY_MAX + " bytes");
          }
          text = new String(bytes, StandardCharsets.UTF_8);
        }
        int status = response.statusCode();
        if (status == 200) return Trees.of(text);
        boolean isTemporary = status == 429 || status >= 500;
        if (!isTemporary || i >= tries) throw A2aFailed.refused(agent, status, text);
      } catch (JacksonException e) {
        throw A2aFailed.misbehaved(agent, "an answer is no JSON");
      } catch (IOException e) {
        if (i >= tries) throw A2aFailed.unreachable(agent, e);
      }
      context.sleep(PAUSE);
    }
  }
}
