package dev.superstep.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aFailed;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Agents elsewhere that do not keep to the protocol.
@Timeout(60)
final class HostileAgentTest {
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private volatile String card = "";
  private volatile Function<String, String> rpc = _ -> "{}";

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/.well-known/agent-card.json", exchange -> answer(exchange, card));
    server.createContext(
        "/rpc",
        exchange -> {
          keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("x-api-key")));
          var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(body);
          answer(exchange, rpc.apply(body));
        });
    server.start();
    card = card(address() + "/rpc");
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static String card(String url) {
    return """
    {"supportedInterfaces":
      [{"url": "%s", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}
    """
        .formatted(url);
  }

  private Outcome run() throws Exception {
    var agent = A2aAgent.at(URI.create(address())).apiKey("secret-key");
    return Office.graph(agent)
        .invoke(Input.of(Office.ORDER, "go"), Office.options(new InMemoryCheckpointer(), "t"));
  }

  @Test
  void a_card_of_another_host_gets_no_key() {
    card = card("http://localhost:" + server.getAddress().getPort() + "/rpc");

    assertThatThrownBy(this::run).hasMessageContaining("another host");
    assertThat(keys).isEmpty();
  }

  @Test
  void a_card_without_the_protocol_is_told() {
    card = "{\"name\": \"old\"}";
    assertThatThrownBy(this::run)
        .hasMessageContaining("no JSON-RPC or HTTP+JSON interface of version 1");
    card = "<html>";
    assertThatThrownBy(this::run).hasMessageContaining("no JSON");
  }

  @Test
  void an_answer_without_a_result_or_too_large_is_told() {
    assertThatThrownBy(this::run).hasMessageContaining("has no result");
    rpc = _ -> "\"" + "x".repeat(9 << 20) + "\"";
    assertThatThrownBy(this::run).hasMessageContaining("bytes");
  }

  @Test
  void another_task_in_place_of_the_own_one_is_told() {
    rpc =
        body -> {
          if (body.contains("ListTasks"))
            return "{\"error\": {\"code\": -32601, \"message\": \"no\"}}";
          if (body.contains("SendMessage")) return "{\"result\": {\"task\": {\"id\": \"mine\"}}}";
          return "{\"result\": {\"id\": \"other\", \"status\": {\"state\":"
              + " \"TASK_STATE_COMPLETED\"}}}";
        };
    assertThatThrownBy(this::run).hasMessageContaining("another task");
  }

  @Test
  void an_agent_that_answers_with_a_message_has_no_task() throws Exception {
    rpc =
        body ->
            body.contains("ListTasks")
                ? "{\"error\": {\"code\": -32601, \"message\": \"no\"}}"
                : "{\"result\": {\"message\": {\"parts\": [{\"text\": \"Hi\"}, {\"data\": [1]}]}}}";

    var result = ((Outcome.Completed) run()).state().get(Office.RESULT);

    assertThat(result.text()).isEqualTo("Hi");
    assertThat(result.task()).isEmpty();
    assertThat(result.data().toString()).contains("[1]");
    assertThat(asked).hasSize(2);
  }

  @Test
  void a_task_that_was_begun_before_is_joined_and_no_message_is_sent() throws Exception {
    rpc =
        body -> {
          if (body.contains("ListTasks")) {
            var context = body.replaceAll(".*\"contextId\":\"([^\"]*)\".*", "$1");
            return "{\"result\": {\"tasks\": [{\"id\": \"t9\", \"contextId\": \""
                + context
                + "\"}]}}";
          }
          return """
          {"result": {"id": "t9", "status": {"state": "TASK_STATE_COMPLETED"},
            "artifacts": [{"parts": [{"text": "done"}]}]}}
          """;
        };

    var result = ((Outcome.Completed) run()).state().get(Office.RESULT);

    assertThat(result.text()).isEqualTo("done");
    assertThat(asked.toString()).doesNotContain("SendMessage");
  }

  @Test
  void an_agent_that_drips_its_answer_is_given_up_and_not_asked_again() {
    var requests = new AtomicInteger();
    server.createContext(
        "/drip",
        exchange -> {
          requests.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, 0);
          try (var out = exchange.getResponseBody()) {
            // Ends when the client has gone.
            for (int i = 0; i < 300; i++) {
              out.write(' ');
              out.flush();
              Thread.sleep(50);
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    card = card(address() + "/drip");
    var agent = A2aAgent.at(URI.create(address())).timeout(Duration.ofMillis(500));
    var options = Office.options(new InMemoryCheckpointer(), "t");

    assertThatThrownBy(() -> Office.graph(agent).invoke(Input.of(Office.ORDER, "go"), options))
        .rootCause()
        .isInstanceOfSatisfying(
            A2aFailed.class, failed -> assertThat(failed.code()).isEqualTo("a2a.slow"))
        .hasMessageContaining("did not come to an end within 500 ms");
    assertThat(requests).hasValue(1);
  }

  @Test
  void an_interface_that_is_not_spoken_here_is_passed_over() {
    card =
        """
        {"supportedInterfaces": [
          {"url": "%1$s/grpc", "protocolBinding": "GRPC", "protocolVersion": "1.0"},
          {"url": "%1$s/old", "protocolBinding": "JSONRPC", "protocolVersion": "0.3"},
          {"url": "%1$s/rest", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0"},
          {"url": "%1$s/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}
        """
            .formatted(address());
    var paths = new CopyOnWriteArrayList<String>();
    server.createContext(
        "/rest",
        exchange -> {
          paths.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          answer(exchange, "{\"tasks\": [], \"message\": {\"parts\": [{\"text\": \"Hi\"}]}}");
        });

    assertThatCode(this::run).doesNotThrowAnyException();

    assertThat(paths).hasSize(2).last().isEqualTo("POST /rest/message:send");
    assertThat(paths.getFirst()).startsWith("GET /rest/tasks?contextId=");
    assertThat(asked).isEmpty();
  }
}
