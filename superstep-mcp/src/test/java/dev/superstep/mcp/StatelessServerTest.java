package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
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
  private final List<Map<String, String>> params = new CopyOnWriteArrayList<>();
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
          case "tools/list" -> tools();
          case "tools/call" -> {
            var headers = new TreeMap<String, String>();
            exchange.getRequestHeaders().forEach((name, all) -> headers.put(name, all.getFirst()));
            params.add(headers);
            yield mismatches(headers) ? "" : call(message.path("params"));
          }
          default -> "";
        };
    var body =
        result.isEmpty()
            ? "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":"
                + error()
                + ",\"message\":\"no\"}}"
            : "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":" + result + "}";
    var bytes = body.formatted(message.path("id")).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(result.isEmpty() ? 404 : 200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private int error() {
    return behaviour.equals("changes its headers") ? -32020 : -32601;
  }

  private boolean mismatches(Map<String, String> headers) {
    return behaviour.equals("changes its headers") && !headers.containsKey("Mcp-param-z");
  }

  private String tools() {
    var tools = new ArrayList<String>();
    tools.add("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}");
    boolean isChanged = behaviour.equals("changes its headers") && !params.isEmpty();
    tools.add(
        tool(
            "b",
            "\"properties\":{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"%s\"},"
                    .formatted(isChanged ? "Z" : "X")
                + "\"n\":{\"type\":\"integer\",\"x-mcp-header\":\"N\"},"
                + "\"is\":{\"type\":\"boolean\",\"x-mcp-header\":\"Is\"},"
                + "\"no\":{\"type\":\"string\",\"x-mcp-header\":\"No\"},"
                + "\"deep\":{\"type\":\"object\",\"properties\":"
                + "{\"y\":{\"type\":\"string\",\"x-mcp-header\":\"Deep-Y\"}}}}"));
    if (!behaviour.equals("odd headers")) return "{\"tools\":[" + String.join(",", tools) + "]}";
    var one = "\"properties\":{\"x\":{\"type\":\"%s\",\"x-mcp-header\":\"%s\"}}";
    tools.add(tool("empty", one.formatted("string", "")));
    tools.add(tool("break", one.formatted("string", "X\\r\\nEvil: 1")));
    tools.add(tool("blank", one.formatted("string", "X Y")));
    tools.add(tool("number", one.formatted("number", "X")));
    tools.add(tool("object", one.formatted("object", "X")));
    tools.add(
        tool(
            "twice",
            "\"properties\":{\"x\":{\"type\":\"string\",\"x-mcp-header\":\"X\"},"
                + "\"y\":{\"type\":\"string\",\"x-mcp-header\":\"x\"}}"));
    tools.add(
        tool(
            "items",
            "\"properties\":{\"x\":{\"type\":\"array\",\"items\":"
                + "{\"type\":\"string\",\"x-mcp-header\":\"X\"}}}"));
    return "{\"tools\":[" + String.join(",", tools) + "]}";
  }

  private static String tool(String name, String schema) {
    return "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\",%s}}".formatted(name, schema);
  }

  private String call(JsonNode params) {
    var asked =
        "{\"resultType\":\"input_required\",\"inputRequests\":{\"q\":%s},\"requestState\":\"s\"}";
    return switch (behaviour) {
      case "asks for ever" -> asked.formatted(FORM);
      case "asks for a model" ->
          asked(
              params,
              "{\"m\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"A"
                  + " drink?\"}}]}}}");
      case "asks for roots" -> asked(params, "{\"r\":{\"method\":\"roots/list\"}}");
      case "asks a model and a person" ->
          asked(
              params,
              "{\"m\":{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[]}},"
                  + "\"q\":%s}".formatted(FORM));
      case "gives a huge state" ->
          asked.formatted(FORM).replace("\"s\"", "\"" + "s".repeat(2 << 20) + "\"");
      case "asks once" ->
          params.has("requestState")
              ? "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"resultType\":\"complete\"}"
              : asked.formatted(FORM);
      default -> "{\"content\":[{\"type\":\"text\",\"text\":\"plain\"}]}";
    };
  }

  /// Asks, and then tells what it was answered.
  private static String asked(JsonNode params, String requests) {
    if (params.has("requestState")) {
      var told = params.path("inputResponses").toString().replace("\"", "'");
      return "{\"content\":[{\"type\":\"text\",\"text\":\"" + told + "\"}]}";
    }
    return "{\"resultType\":\"input_required\",\"inputRequests\":%s,\"requestState\":\"s\"}"
        .formatted(requests);
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

  // --- What a server asks in a result ---

  @Test
  void a_model_is_asked_in_a_result_within_the_budget_that_was_granted() throws Exception {
    var ledger = Ledger.of("run", Budget.unlimited().calls(1));
    var model = ScriptedModel.saying("Tea.", "Tea.");
    var granted = server("asks for a model").sampling(McpSampler.of(model, ledger, 100));
    try (var connection = granted.connect()) {
      assertThat(connection.call("a", NOTHING).text()).contains("'text':'Tea.'");
      assertThat(ledger.spent().calls()).isEqualTo(1);
      // Nothing is left for the second call.
      assertThatThrownBy(() -> connection.call("a", NOTHING))
          .isInstanceOf(McpFailed.Misbehaved.class)
          .hasMessageContaining("BudgetExceeded");
      assertThat(model.calls()).isEqualTo(1);
    }
  }

  @Test
  void roots_are_told_in_a_result_to_a_server_that_was_granted_them() throws Exception {
    try (var connection = server("asks for roots").roots(folder).connect()) {
      assertThat(connection.call("a", NOTHING).text()).contains(folder.toUri().toString());
    }
  }

  /// The answer of the model is saved with the state, so it is not asked again after the person.
  @Test
  void a_model_is_not_asked_again_when_a_person_has_answered_in_the_same_round() throws Exception {
    var asked = new AtomicInteger();
    var store = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var granted =
        server("asks a model and a person")
            .sampling((_, _) -> {
              asked.incrementAndGet();
              return Json.parse("{\"role\":\"assistant\",\"model\":\"m\"}");
            })
            .asking();
    var script =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text(result.text())
                : ScriptedModel.calls(new ToolCall("c1", "odd_a", "{}")));
    try (var connection = granted.connect()) {
      var agent = Agent.named("n").model(script).tools(Tools.of(connection.tools())).build();
      var waiting = (AgentResult.Waiting<String>) agent.run("Go.", store);
      assertThat(waiting.questions()).hasSize(1);
    }
    try (var connection = granted.connect()) {
      var agent = Agent.named("n").model(script).tools(Tools.of(connection.tools())).build();
      var five = Answers.to(McpQuestions.ELICITED, McpAnswer.accept(Json.parse("{\"size\":5}")));
      var end = (AgentResult.Answered<String>) agent.resume(five, store);
      assertThat(end.answer()).contains("'model':'m'").contains("'size':5");
    }
    assertThat(asked).hasValue(1);
  }

  // --- Arguments in headers ---

  @Test
  void arguments_are_repeated_in_headers_where_the_schema_asks_for_it() throws Exception {
    try (var connection = server("plain").connect()) {
      var given =
          "{\"x\":\" caf\u00e9\\r\\nEvil:"
              + " 1\",\"n\":42.0,\"is\":true,\"deep\":{\"y\":\"plain\"},\"no\":null}";
      connection.call("b", Json.parse(given));
      var headers = params.getLast();
      assertThat(headers)
          .containsEntry("Mcp-param-n", "42")
          .containsEntry("Mcp-param-is", "true")
          .containsEntry("Mcp-param-deep-y", "plain")
          .doesNotContainKey("Mcp-param-no")
          .doesNotContainKey("Evil");
      var x = headers.get("Mcp-param-x");
      assertThat(x).startsWith("=?base64?").endsWith("?=");
      var bytes = Base64.getDecoder().decode(x.substring(9, x.length() - 2));
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(" café\r\nEvil: 1");
    }
  }

  @Test
  void a_header_of_the_configuration_does_not_stand_in_for_an_argument() throws Exception {
    try (var connection = server("plain").header("mcp-param-X", "mine").connect()) {
      connection.call("b", NOTHING);
      assertThat(params.getLast()).doesNotContainKey("Mcp-param-x");
    }
  }

  @Test
  void tools_whose_arguments_cannot_be_headers_are_left_out_and_others_are_not() throws Exception {
    try (var connection = server("odd headers").connect()) {
      assertThat(connection.definitions()).extracting(McpTool::name).containsExactly("a", "b");
      assertThat(connection.skipped()).hasSize(7).allMatch(why -> why.contains("x-mcp-header"));
    }
  }

  @Test
  void a_server_that_wants_other_headers_is_asked_for_its_tools_again() throws Exception {
    try (var connection = server("changes its headers").connect()) {
      assertThat(connection.call("b", Json.parse("{\"x\":\"v\"}")).text()).isEqualTo("plain");
      assertThat(params.getLast()).containsEntry("Mcp-param-z", "v");
    }
  }

  @Test
  void a_tool_that_changed_since_it_was_approved_is_not_sent_again_with_other_headers()
      throws Exception {
    try (var connection = server("changes its headers").connect()) {
      var tool = ToolBatch.of(Tools.of(connection.tools()));
      var call = new ToolCall("c1", "odd_b", "{\"x\":\"v\"}");
      assertThat(tool.run(List.of(call)).getFirst().error()).isTrue();
      assertThat(params.getLast()).doesNotContainKey("Mcp-param-z");
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
