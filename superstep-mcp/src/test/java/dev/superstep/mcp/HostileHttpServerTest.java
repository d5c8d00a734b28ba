package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server elsewhere that does what it should not, or wants what it may want.
@Timeout(60)
final class HostileHttpServerTest {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
  private static final Json NOTHING = Json.parse("{}");
  private static final McpLimits LIMITS =
      McpLimits.standard()
          .messageBytes(100_000)
          .times(Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofSeconds(20));

  private HttpServer http;
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();

  private volatile int silence = 405;

  /// The answer to a call.
  private interface Behaviour {
    void answer(HttpExchange exchange, String id) throws IOException;
  }

  private Behaviour behaviour = (exchange, id) -> json(exchange, result(id, "done"));

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/mcp", this::serve);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private McpServer server() {
    var address = URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
    return McpServer.http("far", address).limits(LIMITS);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var session = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
      var token = exchange.getRequestHeaders().getFirst("Authorization");
      heard.add(exchange.getRequestMethod() + " " + session + " " + token + " " + body);
      var id = ID.matcher(body);
      var number = id.find() ? id.group(1) : "";
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.sendResponseHeaders(silence, -1);
      } else if (body.contains("\"initialize\"")) {
        exchange.getResponseHeaders().set("Mcp-Session-Id", "s" + sessions.incrementAndGet());
        json(
            exchange,
            ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\","
                    + "\"capabilities\":{\"tools\":{}},\"serverInfo\":{}}}")
                .formatted(number));
      } else if (body.contains("\"tools/call\"")) {
        calls.incrementAndGet();
        behaviour.answer(exchange, number);
      } else {
        exchange.sendResponseHeaders(202, -1);
      }
    }
  }

  private static String result(String id, String text) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}"
        .formatted(id, text);
  }

  private static void json(HttpExchange exchange, String body) throws IOException {
    send(exchange, "application/json", body);
  }

  private static void send(HttpExchange exchange, String type, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String call(McpConnection connection) throws InterruptedException {
    return connection.call("echo", NOTHING).text();
  }

  @Test
  void each_request_carries_the_session_and_the_token_of_the_moment() throws Exception {
    var tokens = new AtomicInteger();
    var server = server().bearer(() -> "t" + tokens.incrementAndGet());
    try (var connection = server.connect()) {
      assertThat(call(connection)).isEqualTo("done");
    }
    var sent = heard.stream().filter(line -> line.contains("tools/call")).toList();
    assertThat(sent).singleElement().asString().startsWith("POST s1 Bearer t");
    assertThat(tokens.get()).isGreaterThan(2);
  }

  @Test
  void an_answer_as_a_stream_of_events_counts_and_what_is_for_others_does_not() throws Exception {
    behaviour =
        (exchange, id) ->
            send(
                exchange,
                "text/event-stream",
                "id: 1\ndata: \n\n: comment\nevent: other\ndata: "
                    + result(id, "another event")
                    + "\n\ndata: "
                    + result("4242", "of another session")
                    + "\n\nevent: message\ndata: "
                    + result(id, "mine")
                    + "\n\n");
    try (var connection = server().connect()) {
      assertThat(call(connection)).isEqualTo("mine");
    }
  }

  @Test
  void an_answer_that_is_too_long_is_refused_in_both_forms() throws Exception {
    for (var type : List.of("application/json", "text/event-stream")) {
      behaviour = (exchange, id) -> send(exchange, type, "data: " + "x".repeat(200_000) + "\n\n");
      try (var connection = server().connect()) {
        assertThatThrownBy(() -> call(connection))
            .isInstanceOf(McpFailed.Misbehaved.class)
            .hasMessageContaining("more than 100000 bytes");
      }
    }
  }

  @Test
  void an_event_of_many_short_lines_is_too_long_as_well() throws Exception {
    behaviour =
        (exchange, id) ->
            send(exchange, "text/event-stream", ("data: " + "x".repeat(1_000) + "\n").repeat(200));
    try (var connection = server().connect()) {
      assertThatThrownBy(() -> call(connection)).isInstanceOf(McpFailed.Misbehaved.class);
    }
  }

  @Test
  void a_stream_that_ends_before_the_answer_is_a_lost_call_that_is_not_repeated() throws Exception {
    behaviour = (exchange, id) -> send(exchange, "text/event-stream", "data: {}\n\n");
    try (var connection = server().connect()) {
      assertThatThrownBy(() -> call(connection)).isInstanceOf(McpFailed.ConnectionLost.class);
      assertThat(calls).hasValue(1);
    }
  }

  @Test
  void a_redirect_is_not_followed_and_takes_no_token_along() throws Exception {
    var elsewhere = new CopyOnWriteArrayList<String>();
    http.createContext(
        "/elsewhere",
        exchange -> {
          elsewhere.add("" + exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(202, -1);
          exchange.close();
        });
    behaviour =
        (exchange, id) -> {
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          exchange.sendResponseHeaders(307, -1);
        };
    try (var connection = server().bearer(() -> "secret").connect()) {
      assertThatThrownBy(() -> call(connection))
          .isInstanceOf(McpFailed.Misbehaved.class)
          .hasMessageContaining("redirects");
    }
    assertThat(elsewhere).isEmpty();
  }

  @Test
  void a_session_that_is_over_fails_its_call_and_the_next_call_has_another() throws Exception {
    behaviour =
        (exchange, id) -> {
          if (calls.get() == 1) exchange.sendResponseHeaders(404, -1);
          else json(exchange, result(id, "again"));
        };
    try (var connection = server().connect()) {
      assertThatThrownBy(() -> call(connection)).isInstanceOf(McpFailed.ConnectionLost.class);
      assertThat(call(connection)).isEqualTo("again");
    }
    assertThat(heard.stream().filter(line -> line.contains("tools/call")).toList())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("POST s1 "),
            second -> assertThat(second).startsWith("POST s2 "));
  }

  @Test
  void another_session_id_in_an_answer_is_not_taken() throws Exception {
    behaviour =
        (exchange, id) -> {
          exchange.getResponseHeaders().set("Mcp-Session-Id", "of-somebody-else");
          json(exchange, result(id, "done"));
        };
    try (var connection = server().connect()) {
      var _ = call(connection);
      var _ = call(connection);
    }
    assertThat(heard).noneMatch(line -> line.contains("of-somebody-else"));
  }

  @Test
  void content_of_another_type_is_no_answer() throws Exception {
    behaviour = (exchange, id) -> send(exchange, "text/html", "<html>Log in</html>");
    try (var connection = server().connect()) {
      assertThatThrownBy(() -> call(connection))
          .isInstanceOf(McpFailed.Misbehaved.class)
          .hasMessageContaining("text/html");
    }
  }

  @Test
  void an_error_with_a_status_is_an_error() throws Exception {
    behaviour =
        (exchange, id) -> {
          exchange.sendResponseHeaders(500, 0);
          exchange.getResponseBody().write("down\u001b[2J".getBytes(StandardCharsets.UTF_8));
        };
    try (var connection = server().connect()) {
      assertThatThrownBy(() -> call(connection))
          .isInstanceOf(McpFailed.Misbehaved.class)
          .hasMessageContaining("status 500: `down\\u001b[2J`");
    }
  }

  @Test
  void a_refused_token_is_renewed_once_and_else_told() throws Exception {
    behaviour =
        (exchange, id) -> {
          var token = exchange.getRequestHeaders().getFirst("Authorization");
          if ("Bearer new".equals(token)) json(exchange, result(id, "done"));
          else exchange.sendResponseHeaders(401, -1);
        };
    try (var connection = server().bearer(() -> "old").connect()) {
      assertThatThrownBy(() -> call(connection)).isInstanceOf(McpFailed.Unauthorized.class);
      assertThat(calls).hasValue(1);
    }
    try (var connection = server().credentials(new Renewing()).connect()) {
      assertThat(call(connection)).isEqualTo("done");
      assertThat(calls).hasValue(3);
    }
  }

  private static final class Renewing implements McpCredentials {
    private volatile String now = "old";

    @Override
    public Optional<String> token() {
      return Optional.of(now);
    }

    @Override
    public boolean refresh(String challenge) {
      now = "new";
      return true;
    }
  }

  @Test
  void a_token_is_not_sent_in_the_clear() {
    var far = McpServer.http("far", URI.create("http://tools.example.com/mcp"));
    assertThatThrownBy(() -> far.bearer(() -> "secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in the clear");
  }

  @Test
  void a_server_that_does_not_speak_by_itself_may_say_so_by_any_status() throws Exception {
    silence = 404;
    try (var connection = server().connect()) {
      while (heard.stream().noneMatch(line -> line.startsWith("GET "))) Thread.onSpinWait();
      assertThat(call(connection)).isEqualTo("done");
      assertThat(call(connection)).isEqualTo("done");
    }
    assertThat(sessions).hasValue(1);
  }

  @Test
  void a_server_that_is_not_there_is_not_connected() throws Exception {
    var address = server();
    http.stop(0);
    assertThatThrownBy(address::connect).isInstanceOf(McpFailed.NotConnected.class);
  }
}
