package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.mcp.server.internal.protocol.Revision;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.server.AgentServer;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.service.InMemoryServiceStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Revision 2026-07-28: every request stands alone.
@Timeout(90)
final class ModernTest {
  private static final String META =
      "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
          + "\"io.modelcontextprotocol/clientCapabilities\":%s}";
  private static final String FORMS = "{\"elicitation\":{}}";
  private static final String REFUND = "{\"order\":\"1\",\"cents\":5}";
  private static final String ANN = "ann-0123456789abcdef";
  private static final String BOB = "bob-0123456789abcdef";
  private static final String YES =
      ",\"inputResponses\":{\"agree_to_refund\":{\"action\":\"accept\",\"content\":"
          + "{\"agreed\":true,\"reason\":\"broken\"}}}";

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private AgentServer server;
  private McpHost host;

  @BeforeEach
  void start() throws Exception {
    var states = new InMemoryCheckpointer();
    var records = InMemoryServiceStore.open();
    host = DeskProgram.host(folder, states, records).build();
    var keys = ApiKeys.parse("ann " + ANN + ";bob " + BOB);
    server =
        AgentServer.on(states, records).authenticator(keys).extension(host.extension()).start(0);
  }

  @AfterEach
  void stop() {
    http.shutdownNow();
    server.close();
    host.close();
  }

  private static String meta(String capabilities) {
    return META.formatted(capabilities);
  }

  private static String body(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{%s}}"
        .formatted(method, params);
  }

  private static String call(String tool, String arguments, String more) {
    return body(
        "tools/call", meta(FORMS) + ",\"name\":\"" + tool + "\",\"arguments\":" + arguments + more);
  }

  private HttpRequest.Builder request(URI address, String key, String method, String name) {
    var request =
        HttpRequest.newBuilder(address)
            .header("Accept", "application/json, text/event-stream")
            .header("Content-Type", "application/json")
            .header("X-Api-Key", key)
            .header("Mcp-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", method);
    return name.isEmpty() ? request : request.header("Mcp-Name", name);
  }

  private HttpResponse<String> send(HttpRequest.Builder request, String body) throws Exception {
    var made = request.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    return http.send(made, HttpResponse.BodyHandlers.ofString());
  }

  private URI address() {
    return server.address().resolve("/mcp");
  }

  private JsonNode ask(String key, String method, String name, String body) throws Exception {
    return HttpClientOfTest.reply(send(request(address(), key, method, name), body));
  }

  private JsonNode refund(String key, String arguments, String more) throws Exception {
    return ask(key, "tools/call", "refund", call("refund", arguments, more));
  }

  private static String state(JsonNode asked) {
    return ",\"requestState\":\"" + asked.path("result").path("requestState").asString() + "\"";
  }

  private static void isRefused(JsonNode reply) {
    assertThat(reply.path("error").path("code").asInt()).isEqualTo(Rpc.INVALID_PARAMS);
  }

  @Test
  void a_client_learns_what_the_server_is_without_a_session() throws Exception {
    var found = ask(ANN, "server/discover", "", body("server/discover", meta("{}"))).path("result");
    assertThat(found.path("supportedVersions").path(0).asString()).isEqualTo("2026-07-28");
    assertThat(found.path("capabilities").has("tools")).isTrue();
    assertThat(found.path("capabilities").has("tasks")).isFalse();
    assertThat(found.path("resultType").asString()).isEqualTo("complete");
    var tools = ask(ANN, "tools/list", "", body("tools/list", meta("{}"))).path("result");
    assertThat(tools.path("tools").size()).isPositive();
    assertThat(tools.has("ttlMs")).isTrue();
    assertThat(tools.path("cacheScope").asString()).isEqualTo("private");
  }

  @Test
  void a_question_is_in_the_result_and_its_answer_in_the_next_call() throws Exception {
    var asked = refund(ANN, REFUND, "");
    assertThat(asked.path("result").path("resultType").asString()).isEqualTo("input_required");
    var form = asked.path("result").path("inputRequests").path("agree_to_refund");
    assertThat(form.path("method").asString()).isEqualTo("elicitation/create");
    assertThat(form.path("params").path("requestedSchema").path("properties").has("agreed"))
        .isTrue();
    var end = refund(ANN, REFUND, state(asked) + YES).path("result");
    assertThat(end.path("structuredContent").path("cents").asInt()).isEqualTo(5);
    assertThat(end.path("resultType").asString()).isEqualTo("complete");
  }

  @Test
  void an_answer_that_does_not_fit_or_is_missing_is_asked_for_again() throws Exception {
    var asked = refund(ANN, REFUND, "");
    var again = refund(ANN, REFUND, state(asked)).path("result");
    assertThat(again.path("resultType").asString()).isEqualTo("input_required");
    var bad = refund(ANN, REFUND, state(asked) + YES.replace("true", "\"perhaps\""));
    assertThat(bad.path("result").path("resultType").asString()).isEqualTo("input_required");
    assertThat(refund(ANN, REFUND, state(bad) + YES).toString()).contains("\"cents\":5");
  }

  @Test
  void a_state_that_was_changed_is_refused() throws Exception {
    var asked = refund(ANN, REFUND, "");
    var good = asked.path("result").path("requestState").asString();
    int dot = good.indexOf('.');
    var odd = new ArrayList<String>();
    odd.add(good + "x");
    odd.add(good.substring(0, dot));
    odd.add(good.substring(0, dot + 1));
    odd.add("A" + good.substring(1));
    odd.add("x.y");
    odd.add("");
    odd.add("%%%.%%%");
    odd.add("x".repeat(100_000) + ".y");
    for (var text : odd) {
      isRefused(refund(ANN, REFUND, ",\"requestState\":\"" + text + "\"" + YES));
    }
    assertThat(refund(ANN, REFUND, state(asked) + YES).toString()).contains("\"cents\":5");
  }

  @Test
  void a_state_counts_for_its_principal_its_tool_and_its_arguments_alone() throws Exception {
    var asked = refund(ANN, REFUND, "");
    isRefused(refund(BOB, REFUND, state(asked) + YES));
    isRefused(refund(ANN, REFUND.replace("5", "5000"), state(asked) + YES));
    isRefused(ask(ANN, "tools/call", "count", call("count", "{}", state(asked) + YES)));
  }

  @Test
  void a_state_is_over_with_its_call() throws Exception {
    var asked = refund(ANN, REFUND, "");
    assertThat(refund(ANN, REFUND, state(asked) + YES).toString()).contains("\"cents\":5");
    isRefused(refund(ANN, REFUND, state(asked) + YES));
  }

  @Test
  void a_client_without_forms_answers_by_the_tool_for_answers() throws Exception {
    var body = call("refund", REFUND, "").replace(FORMS, "{}");
    var waiting = ask(ANN, "tools/call", "refund", body).path("result");
    assertThat(waiting.path("resultType").asString()).isEqualTo("complete");
    assertThat(waiting.has("inputRequests")).isFalse();
    var call = waiting.path("structuredContent").path("call").asString();
    var answer = "{\"call\":\"%s\",\"answers\":{\"agreed\":true,\"reason\":\"\"}}".formatted(call);
    assertThat(ask(ANN, "tools/call", "answer_call", call("answer_call", answer, "")).toString())
        .contains("\"cents\":5");
  }

  @Test
  void what_the_headers_say_must_be_what_the_body_says() throws Exception {
    var body = call("echo", "{\"text\":\"a\"}", "");
    for (var odd :
        List.of(
            request(address(), ANN, "tools/list", "echo"),
            request(address(), ANN, "tools/call", "pay"),
            request(address(), ANN, "tools/call", ""))) {
      var reply = send(odd, body);
      assertThat(reply.statusCode()).isEqualTo(400);
      assertThat(reply.body()).contains("-32020");
    }
    var encoded = request(address(), ANN, "tools/call", "=?base64?ZWNobw==?=");
    assertThat(send(encoded, body).statusCode()).isEqualTo(200);
  }

  @Test
  void requests_that_lack_what_they_must_say_or_say_another_version_are_refused() throws Exception {
    var without = send(request(address(), ANN, "tools/list", ""), body("tools/list", ""));
    assertThat(without.statusCode()).isEqualTo(400);
    assertThat(without.body()).contains("-32602");
    var old = body("tools/list", meta("{}")).replace("2026-07-28", "1900-01-01");
    var request = request(address(), ANN, "tools/list", "");
    var other = send(request.setHeader("Mcp-Protocol-Version", "1900-01-01"), old);
    assertThat(other.statusCode()).isEqualTo(400);
    assertThat(other.body()).contains("-32022", "2025-11-25");
    var unknown = send(request(address(), ANN, "ping", ""), body("ping", meta("{}")));
    assertThat(unknown.statusCode()).isEqualTo(404);
  }

  @Test
  void a_client_hears_of_the_changes_that_it_listens_to() throws Exception {
    var params = meta("{}") + ",\"notifications\":{\"toolsListChanged\":true,\"other\":true}";
    var listening =
        http.send(
            request(address(), ANN, "subscriptions/listen", "")
                .POST(HttpRequest.BodyPublishers.ofString(body("subscriptions/listen", params)))
                .build(),
            HttpResponse.BodyHandlers.ofLines());
    var messages =
        listening
            .body()
            .map(HttpClientOfTest::message)
            .flatMap(java.util.Optional::stream)
            .iterator();
    var first = messages.next();
    assertThat(first.path("method").asString())
        .isEqualTo("notifications/subscriptions/acknowledged");
    assertThat(first.path("params").path("notifications").has("other")).isFalse();
    host.changePrompts(List.of());
    host.changeTools(tools -> tools);
    var told = messages.next();
    assertThat(told.path("method").asString()).isEqualTo("notifications/tools/list_changed");
    assertThat(told.path("params").path("_meta").path(Revision.META + "subscriptionId").asInt())
        .isEqualTo(7);
  }

  @Test
  void a_client_that_closes_its_stream_ends_its_call() throws Exception {
    var request =
        request(address(), ANN, "tools/call", "count")
            .POST(HttpRequest.BodyPublishers.ofString(call("count", "{}", "")))
            .build();
    var stream = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    while (!DeskProgram.effects(folder).contains("first")) Thread.sleep(20);
    stream.body().close();
    while (host.runningCalls() > 0) Thread.sleep(20);
    Files.writeString(folder.resolve("go"), "");
    assertThat(host.openCalls()).isEmpty();
    assertThat(DeskProgram.effects(folder)).isEqualTo("first\n");
  }

  @Test
  void an_answer_comes_to_another_process_after_a_kill() throws Exception {
    JsonNode asked;
    try (var first = ServerProcess.http(folder)) {
      var address = URI.create("http://127.0.0.1:" + first.port() + "/mcp");
      asked =
          HttpClientOfTest.reply(
              send(request(address, ANN, "tools/call", "refund"), call("refund", REFUND, "")));
      assertThat(asked.path("result").path("resultType").asString()).isEqualTo("input_required");
      first.kill();
    }
    try (var second = ServerProcess.http(folder)) {
      var address = URI.create("http://127.0.0.1:" + second.port() + "/mcp");
      var body = call("refund", REFUND, state(asked) + YES);
      var end = HttpClientOfTest.reply(send(request(address, ANN, "tools/call", "refund"), body));
      assertThat(end.path("result").path("structuredContent").path("cents").asInt()).isEqualTo(5);
    }
  }

  @Test
  void both_kinds_of_clients_are_served_by_one_pair_of_streams() throws Exception {
    try (var process = ServerProcess.stdio(folder)) {
      process.send(body("server/discover", meta("{}")));
      assertThat(process.reply().path("result").has("supportedVersions")).isTrue();
      process.send(call("refund", REFUND, ""));
      var asked = process.reply();
      process.send(call("refund", REFUND, state(asked) + YES));
      assertThat(process.reply().toString()).contains("\"cents\":5");
      process.greet("{}");
      assertThat(process.ask("ping", "{}").has("result")).isTrue();
    }
  }
}
