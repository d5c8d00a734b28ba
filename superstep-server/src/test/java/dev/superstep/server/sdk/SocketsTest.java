package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.server.AgentServer;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Authenticator;
import dev.superstep.server.security.Authorizer.Decision;
import dev.superstep.server.security.Principal;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// WebSockets and commands of the event-streaming protocol: who may open them, what they may see,
/// and how much they may send. Each principal sees the threads of its own; one may do nothing.
@Timeout(120)
class SocketsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int BODY_BYTES = 20_000;
  private static final int STREAMS = 3;

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private ServiceStore documents;
  private AgentServer server;

  @BeforeEach
  void start() throws Exception {
    documents = SqliteServiceStore.open(folder.resolve("documents.db"));
    Authenticator byHeader =
        headers -> headers.header("x-api-key").map(key -> new Principal(key, Set.of(), Map.of()));
    server =
        AgentServer.on(new InMemoryCheckpointer(InstantSource.system(), true), documents)
            .authenticator(byHeader)
            .authorizer(SocketsTest::decide)
            .options(
                ServerOptions.defaults()
                    .withOrigins(Set.of("https://chat.example.com"))
                    .withHttp(HttpLimits.defaults().withBody(BODY_BYTES, 50).withStreams(STREAMS)))
            .serving(FixtureGraphs.all())
            .start(0);
  }

  private static Decision decide(Principal who, Access access) {
    return who.id().equals("nobody")
        ? new Decision.Denied("nobody may do this")
        : new Decision.Allowed(
            Optional.of(Json.parse("{\"owner\":\"" + who.id() + "\"}")), Optional.empty());
  }

  @AfterEach
  void stop() {
    server.close();
    documents.close();
  }

  /// The messages that a client gets, and how it was closed.
  private record Client(WebSocket socket, LinkedBlockingQueue<String> messages)
      implements AutoCloseable {
    void send(String method, String params) {
      socket
          .sendText("{\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params), true)
          .join();
    }

    JsonNode next() throws InterruptedException {
      var message = messages.poll(30, TimeUnit.SECONDS);
      assertThat(message).as("a message in time").isNotNull();
      return JSON.readTree(message);
    }

    @Override
    public void close() {
      socket.abort();
    }
  }

  private Client open(String thread, String who, Map<String, String> headers) {
    var messages = new LinkedBlockingQueue<String>();
    var listener =
        new WebSocket.Listener() {
          private final StringBuilder text = new StringBuilder();

          @Override
          public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
              messages.add(text.toString());
              text.setLength(0);
            }
            from.request(1);
            return null;
          }

          @Override
          public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            messages.add("{\"closed\":" + code + "}");
            return null;
          }
        };
    var builder = http.newWebSocketBuilder().header("x-api-key", who);
    headers.forEach(builder::header);
    var socket = builder.buildAsync(address("ws", thread, "stream/events"), listener).join();
    return new Client(socket, messages);
  }

  private URI address(String scheme, String thread, String path) {
    return URI.create(scheme + "://127.0.0.1:" + server.port() + "/threads/" + thread + "/" + path);
  }

  private int refused(String who, Map<String, String> headers) {
    try (var _ = open(UUID.randomUUID().toString(), who, headers)) {
      return 101;
    } catch (CompletionException failed) {
      var handshake = (WebSocketHandshakeException) failed.getCause();
      return handshake.getResponse().statusCode();
    }
  }

  @Test
  void foreign_pages_and_strangers_open_no_websocket() throws Exception {
    assertThat(refused("ada", Map.of("Origin", "https://evil.example.com"))).isEqualTo(403);
    assertThat(refused("ada", Map.of("Origin", "null"))).isEqualTo(403);
    assertThat(refused("ada", Map.of("Sec-Fetch-Site", "cross-site"))).isEqualTo(403);
    assertThat(refused("nobody", Map.of())).isEqualTo(403);
    assertThat(refused("ada", Map.of("Origin", "https://chat.example.com"))).isEqualTo(101);
    var unknown = HttpRequest.newBuilder(address("http", "t", "stream/events")).build();
    assertThat(http.send(unknown, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    var plain =
        HttpRequest.newBuilder(address("http", "t", "stream/events"))
            .header("x-api-key", "ada")
            .build();
    assertThat(http.send(plain, BodyHandlers.ofString()).statusCode()).isEqualTo(426);
  }

  @Test
  void one_principal_has_so_many_sockets_and_closed_ones_do_not_count() throws Exception {
    var open = new java.util.ArrayList<Client>();
    for (int i = 0; i < STREAMS; i++) open.add(open("t" + i, "ada", Map.of()));
    assertThat(refused("ada", Map.of())).isEqualTo(429);
    assertThat(refused("bob", Map.of())).isEqualTo(101);
    open.forEach(Client::close);
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (refused("ada", Map.of()) != 101) assertThat(System.nanoTime()).isLessThan(end);
  }

  @Test
  void large_deep_and_malformed_messages_are_refused() throws Exception {
    try (var client = open("t", "ada", Map.of())) {
      client.socket().sendText("no json", true).join();
      var reply = client.next();
      assertThat(reply.path("error").asString()).isEqualTo("invalid_argument");
      assertThat(reply.path("id").isNull()).isTrue();
      client.send("run.start", "[".repeat(60) + "]".repeat(60));
      assertThat(client.next().path("error").asString()).isEqualTo("invalid_argument");
      client.send("subscription.unsubscribe", "{\"subscription_id\":\"none\"}");
      assertThat(client.next().path("error").asString()).isEqualTo("no_such_subscription");
      client.socket().sendText("x".repeat(BODY_BYTES + 1), true).join();
      assertThat(client.next().path("closed").intValue()).isEqualTo(1009);
    }
  }

  private JsonNode command(String who, String thread, String method, String params)
      throws Exception {
    var body = "{\"id\":1,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
    var request =
        HttpRequest.newBuilder(address("http", thread, "commands"))
            .header("x-api-key", who)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
  }

  @Test
  void nobody_sees_or_commands_the_threads_of_others() throws Exception {
    var thread = UUID.randomUUID().toString();
    // Bob waits for the thread before it is there.
    try (var bob = open(thread, "bob", Map.of());
        var ada = open(thread, "ada", Map.of())) {
      var everything = "{\"channels\":[\"lifecycle\",\"values\"]}";
      bob.send("subscription.subscribe", everything);
      assertThat(bob.next().path("type").asString()).isEqualTo("success");
      ada.send("subscription.subscribe", everything);
      assertThat(ada.next().path("type").asString()).isEqualTo("success");
      var input = "{\"assistant_id\":\"agent\",\"input\":{\"messages\":\"foo\"}}";
      assertThat(command("nobody", thread, "run.start", input).path("error").asString())
          .isEqualTo("permission_denied");
      assertThat(command("ada", thread, "run.start", input).path("type").asString())
          .isEqualTo("success");
      var last = ada.next();
      while (!last.path("params").path("data").path("event").asString("").equals("completed")) {
        last = ada.next();
      }
      for (var one :
          List.of(
              List.of("state.get", "{\"namespace\":[]}"),
              List.of("state.listCheckpoints", "{}"),
              List.of("agent.getTree", "{}"),
              List.of("run.start", input),
              List.of("state.fork", "{\"checkpoint_id\":\"x\"}"),
              List.of("input.inject", "{\"message\":{\"role\":\"user\",\"content\":\"x\"}}"),
              List.of("input.respond", "{\"interrupt_id\":\"x\",\"response\":1}"))) {
        var reply = command("bob", thread, one.getFirst(), one.getLast());
        assertThat(reply.path("error").asString()).as(one.getFirst()).isEqualTo("no_such_run");
      }
      // What comes next for Bob is the answer to what he asks now, and nothing of the run.
      bob.send("state.get", "{\"namespace\":[]}");
      assertThat(bob.next().path("error").asString()).isEqualTo("no_such_run");
    }
  }

  @Test
  void subscriptions_get_what_was_before_them_and_survive_the_connection() throws Exception {
    var thread = UUID.randomUUID().toString();
    String subscription;
    String last;
    String run;
    try (var client = open(thread, "ada", Map.of())) {
      client.send("run.start", "{\"assistant_id\":\"agent\",\"input\":{\"messages\":\"foo\"}}");
      run = client.next().path("result").path("run_id").asString();
      client.send("subscription.subscribe", "{\"channels\":[\"lifecycle\"]}");
      subscription = client.next().path("result").path("subscription_id").asString();
      var first = client.next();
      assertThat(first.path("params").path("data").path("event").asString()).isEqualTo("running");
      last = first.path("event_id").asString();
      assertThat(client.next().path("params").path("data").path("event").asString())
          .isEqualTo("completed");
    }
    try (var again = open(thread, "ada", Map.of())) {
      again.send(
          "subscription.reconnect",
          "{\"run_id\":\"%s\",\"last_event_id\":\"%s\",\"subscriptions\":[\"%s\"]}"
              .formatted(run, last, subscription));
      var missed = again.next();
      // What was missed may come from the replay or as news, whichever is first.
      var reply = missed.path("type").asString().equals("event") ? again.next() : missed;
      if (reply == missed) missed = again.next();
      assertThat(missed.path("params").path("data").path("event").asString())
          .isEqualTo("completed");
      assertThat(reply.path("result").path("restored").booleanValue()).isTrue();
      assertThat(reply.path("result").path("current_namespaces").path(0).path("status").asString())
          .isEqualTo("completed");
      again.send("subscription.unsubscribe", "{\"subscription_id\":\"" + subscription + "\"}");
      assertThat(again.next().path("type").asString()).isEqualTo("success");
    }
    assertThatThrownBy(() -> open(thread, "nobody", Map.of()).close())
        .hasCauseInstanceOf(WebSocketHandshakeException.class);
  }
}
