package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Servers of revision 2026-07-28, good and bad, and older ones that are asked for it.
@Timeout(60)
final class StatelessServerTest {
  private static final Json NOTHING = Json.parse("{}");
  private static final String FORM =
      "{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Which?\",\"requestedSchema\":"
          + "{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"}}}}}";

  @TempDir Path folder;
  private final List<JsonNode> heard = new CopyOnWriteArrayList<>();
  private final List<String> names = new CopyOnWriteArrayList<>();
  private HttpServer http;
  private String behaviour = "";

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/mcp", this::handle);
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private McpServer server(String how) {
    behaviour = how;
    return McpServer.http(
            "odd", URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp"))
        .stateless();
  }

  private void handle(HttpExchange exchange) throws IOException {
    var text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var message = Wire.tree(Json.parse(text));
    heard.add(message);
    names.add(String.valueOf(exchange.getRequestHeaders().getFirst("Mcp-Name")));
    var result =
        switch (Wire.text(message, "method")) {
          case "server/discover" ->
              "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},"
                  + "\"serverInfo\":{\"name\":\"odd\",\"version\":\"1\"}}";
          case "tools/list" ->
              "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}},"
                  + "{\"name\":\"b\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"x\":"
                  + "{\"type\":\"string\",\"x-mcp-header\":\"X\"}}}}]}";
          case "tools/call" -> call(message.path("params"));
          default -> "";
        };
    var body =
        result.isEmpty()
            ? "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no\"}}"
            : "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":" + result + "}";
    var bytes = body.formatted(message.path("id")).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(result.isEmpty() ? 404 : 200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String call(JsonNode params) {
    var asked =
        "{\"resultType\":\"input_required\",\"inputRequests\":{\"q\":%s},\"requestState\":\"s\"}";
    return switch (behaviour) {
      case "asks for ever" -> asked.formatted(FORM);
      case "asks for a model" ->
          asked.formatted("{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[]}}");
      case "gives a huge state" ->
          asked.formatted(FORM).replace("\"s\"", "\"" + "s".repeat(2 << 20) + "\"");
      case "asks once" ->
          params.has("requestState")
              ? "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"resultType\":\"complete\"}"
              : asked.formatted(FORM);
      default -> "{\"content\":[{\"type\":\"text\",\"text\":\"plain\"}]}";
    };
  }

  private static McpAnswer five(McpElicitation asked) {
    return McpAnswer.accept(Json.parse("{\"size\":5}"));
  }

  @Test
  void each_request_says_its_revision_and_what_the_client_can_do() throws Exception {
    try (var connection = server("plain").connect()) {
      assertThat(connection.call("tëst", NOTHING).text()).isEqualTo("plain");
      assertThat(names).contains("=?base64?dMOrc3Q=?=");
      for (var message : heard) {
        var meta = message.path("params").path("_meta");
        assertThat(meta.path("io.modelcontextprotocol/protocolVersion").asString())
            .isEqualTo("2026-07-28");
        assertThat(meta.has("io.modelcontextprotocol/clientCapabilities")).isTrue();
      }
    }
  }

  @Test
  void an_answer_comes_with_the_state_that_the_server_gave() throws Exception {
    try (var connection = server("asks once").answering(StatelessServerTest::five).connect()) {
      assertThat(connection.call("a", NOTHING).text()).isEqualTo("done");
      var last = heard.stream().filter(m -> m.path("params").has("requestState")).toList();
      assertThat(last).hasSize(1);
      assertThat(last.getFirst().path("params").path("requestState").asString()).isEqualTo("s");
      assertThat(last.getFirst().path("params").path("inputResponses").path("q").toString())
          .isEqualTo("{\"action\":\"accept\",\"content\":{\"size\":5}}");
    }
  }

  @Test
  void a_server_that_asks_for_ever_is_given_up() throws Exception {
    try (var connection = server("asks for ever").answering(StatelessServerTest::five).connect()) {
      assertThatThrownBy(() -> connection.call("a", NOTHING))
          .isInstanceOf(McpFailed.Misbehaved.class);
      assertThat(heard).hasSizeLessThan(30);
    }
  }

  @Test
  void what_was_not_granted_is_not_given() throws Exception {
    for (var how : List.of("asks for a model", "asks once")) {
      try (var connection = server(how).connect()) {
        assertThatThrownBy(() -> connection.call("a", NOTHING))
            .isInstanceOf(McpFailed.Misbehaved.class)
            .hasMessageContaining("not granted");
      }
    }
  }

  @Test
  void a_huge_state_is_refused() throws Exception {
    try (var connection =
        server("gives a huge state").answering(StatelessServerTest::five).connect()) {
      assertThatThrownBy(() -> connection.call("a", NOTHING))
          .isInstanceOf(McpFailed.Misbehaved.class);
    }
  }

  @Test
  void a_tool_that_wants_arguments_in_headers_is_left_out() throws Exception {
    try (var connection = server("plain").connect()) {
      assertThat(connection.definitions()).hasSize(1);
      assertThat(connection.skipped()).singleElement().asString().contains("headers");
    }
  }

  @Test
  void an_older_server_is_spoken_with_as_before_even_if_it_says_nothing() throws Exception {
    var time = Duration.ofSeconds(8);
    var old =
        ScriptedServer.of("plain", folder.toRealPath().resolve("notes"))
            .limits(McpLimits.standard().times(time, time, time))
            .stateless();
    try (var connection = old.connect()) {
      assertThat(connection.revision()).isEqualTo("2025-11-25");
      assertThat(connection.call("echo", NOTHING).text()).isEqualTo("call 1");
    }
  }
}
