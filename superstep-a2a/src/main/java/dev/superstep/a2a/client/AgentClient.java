package dev.superstep.a2a.client;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.node.NodeContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends requests to an agent elsewhere, by the binding that its card prefers. For one task.
final class AgentClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int TRIES = 20;
  private static final int BODY_MAX = 8 << 20;

  private final A2aAgent agent;
  private final NodeContext context;
  private @Nullable AgentBinding binding;

  AgentClient(A2aAgent agent, NodeContext context) {
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
    if (binding == null) binding = binding(tries);
    var answer = sent(binding.request(method, params), tries);
    var result = binding.result(agent, answer.status(), json(answer));
    if (result.isObject()) return result;
    throw A2aFailed.misbehaved(agent, "an answer to " + method + " has no result");
  }

  // --- The card ---

  private AgentBinding binding(int tries) throws InterruptedException {
    var base = agent.address().toString();
    if (base.endsWith("/")) base = base.substring(0, base.length() - 1);
    var place = URI.create(base + "/.well-known/agent-card.json");
    var answer = sent(HttpRequest.newBuilder(place).GET(), tries);
    if (answer.status() != 200) throw A2aFailed.refused(agent, answer.status(), answer.text());
    var card = json(answer);
    var flaw = agent.keys().map(keys -> keys.flaw(card)).orElse("");
    if (!flaw.isEmpty()) throw A2aFailed.unverified(agent, flaw);
    return binding(card);
  }

  /// The first of its interfaces that is spoken here.
  private AgentBinding binding(JsonNode card) {
    for (var one : card.path("supportedInterfaces")) {
      if (!one.path("protocolVersion").asString("").startsWith("1.")) continue;
      var url = one.path("url").asString("");
      var name = one.path("protocolBinding").asString("");
      if (name.equals(AgentBinding.JsonRpc.NAME)) return new AgentBinding.JsonRpc(checked(url));
      if (name.equals(AgentBinding.Rest.NAME)) return new AgentBinding.Rest(checked(url));
    }
    throw A2aFailed.misbehaved(
        agent, "its card has no JSON-RPC or HTTP+JSON interface of version 1");
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

  // --- Requests ---

  /// An answer, whole.
  private record Answer(int status, String text) {}

  private JsonNode json(Answer answer) {
    try {
      return Trees.of(answer.text());
    } catch (JacksonException e) {
      // A proxy in between may refuse in its own words.
      if (answer.status() != 200) throw A2aFailed.refused(agent, answer.status(), answer.text());
      throw A2aFailed.misbehaved(agent, "an answer is no JSON");
    }
  }

  private Answer sent(HttpRequest.Builder draft, int tries) throws InterruptedException {
    draft.setHeader("A2A-Version", "1.0");
    agent.headers().forEach(draft::setHeader);
    var request = draft.build();
    for (int i = 1; ; i++) {
      try {
        var answer = awaited(request);
        boolean isTemporary = answer.status() == 429 || answer.status() >= 500;
        if (!isTemporary || i >= tries) return answer;
      } catch (IOException e) {
        if (i >= tries) throw A2aFailed.unreachable(agent, e);
      }
      context.sleep(PAUSE);
    }
  }

  /// Waits for an answer and its end. An agent that begins to answer and does not come to an end is
  /// not asked again: it would cost the same time each time.
  private Answer awaited(HttpRequest request) throws IOException, InterruptedException {
    var hasBegun = new AtomicBoolean();
    BodyHandler<byte[]> handler =
        info -> {
          hasBegun.set(true);
          return BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_MAX).apply(info);
        };
    var sending = HTTP.sendAsync(request, handler);
    try {
      HttpResponse<byte[]> response =
          sending.get(agent.timeout().toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(response.statusCode(), new String(response.body(), StandardCharsets.UTF_8));
    } catch (TimeoutException _) {
      if (hasBegun.get()) throw A2aFailed.slow(agent);
      throw new HttpTimeoutException("no answer in " + agent.timeout().toMillis() + " ms");
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      sending.cancel(true);
    }
  }

  private IOException failure(@Nullable Throwable cause) {
    if (cause instanceof IOException broken) {
      // What the limit of the JDK says.
      boolean isTooLarge = String.valueOf(broken.getMessage()).contains("exceeds capacity");
      if (!isTooLarge) return broken;
      throw A2aFailed.misbehaved(agent, "an answer has more than " + BODY_MAX + " bytes");
    }
    return new IOException(cause);
  }
}
