package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.server.ExtensionServer;
import dev.superstep.service.InMemoryServiceStore;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Clients that do all that they can to harm a server and its other clients.
@Timeout(60)
final class HostileClientTest {
  private static final int OK = 200;

  @TempDir Path folder;
  private McpHost host;
  private ExtensionServer server;
  private HttpClientOfTest good;

  @BeforeEach
  void start() throws Exception {
    host =
        DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .limits(
                McpHostLimits.standard()
                    .withSizes(100_000, 30, 50_000)
                    .withRequests(2, 3)
                    .withTasks(10, 20)
                    .withTimes(
                        Duration.ofSeconds(20), Duration.ofMinutes(1), Duration.ofMillis(300)))
            .build();
    server = host.start(0);
    good = new HttpClientOfTest(server.address()).greet("{\"elicitation\":{}}");
  }

  /// Whatever was done to it, the server still serves others.
  @AfterEach
  void stillServes() throws Exception {
    try (var other = new HttpClientOfTest(server.address()).greet("{}")) {
      assertThat(other.call("echo", "{\"text\":\"tea\"}").toString()).contains("tea");
    } finally {
      good.close();
      server.close();
      host.close();
    }
  }

  private List<JsonNode> stdio(String... lines) {
    return stdio(
        new java.io.ByteArrayInputStream(
            String.join("\n", lines).getBytes(StandardCharsets.UTF_8)));
  }

  private List<JsonNode> stdio(InputStream in) {
    var out = new ByteArrayOutputStream();
    host.serve(in, out);
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .map(HttpClientOfTest.JSON::readTree)
        .toList();
  }

  private static String greeting() {
    return HttpClientOfTest.GREETING.formatted("{}").replace("\n", " ");
  }

  private static int code(JsonNode reply) {
    return reply.path("error").path("code").asInt(0);
  }

  // --- Messages ---

  static Stream<String> malformed() {
    return Stream.of(
        "[]",
        "{}",
        "5",
        "\"x\"",
        "null",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":1}",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void what_is_no_message_is_refused(String body) throws Exception {
    assertThat(good.post(body).statusCode()).isEqualTo(400);
    assertThat(code(stdio(greeting(), body).getLast())).isEqualTo(Rpc.INVALID_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{]", "{\"a\":}", "\u0000", "{\"jsonrpc\":\"2.0\",\"id\":1"})
  void what_is_no_JSON_is_refused(String body) throws Exception {
    assertThat(good.post(body).statusCode()).isEqualTo(400);
    assertThat(code(stdio(greeting(), body).getLast())).isEqualTo(Rpc.PARSE_ERROR);
  }

  @Test
  void deep_JSON_is_refused() throws Exception {
    var deep = "[".repeat(100_000 / 3) + "]".repeat(100_000 / 3);
    var body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":" + deep + "}}";
    assertThat(good.post(body).statusCode()).isEqualTo(413);
    assertThat(code(stdio(greeting(), body).getLast())).isEqualTo(Rpc.PARSE_ERROR);
  }

  @Test
  void a_huge_line_ends_its_session() {
    var replies = stdio(greeting(), "x".repeat(200_000), HttpClientOfTest.message("ping", "{}"));
    assertThat(replies).hasSize(2);
    assertThat(code(replies.getLast())).isEqualTo(Rpc.INVALID_REQUEST);
  }

  @Test
  void an_endless_line_ends_its_session() {
    var endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] into, int from, int most) {
            java.util.Arrays.fill(into, from, from + most, (byte) 'x');
            return most;
          }
        };
    var first =
        new java.io.ByteArrayInputStream((greeting() + "\n").getBytes(StandardCharsets.UTF_8));
    assertThat(stdio(new SequenceInputStream(first, endless))).hasSize(2);
  }

  @Test
  void a_huge_body_is_refused() throws Exception {
    var body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + "x".repeat(17 << 20) + "\"}";
    try {
      assertThat(good.post(body).statusCode()).isEqualTo(413);
    } catch (java.io.IOException e) {
      assertThat(e).hasMessageNotContaining("timed out"); // it may close while we send
    }
  }

  @Test
  void a_huge_result_becomes_an_error() throws Exception {
    var result = good.call("echo", "{\"text\":\"" + "x".repeat(30_000) + "\"}").path("result");
    assertThat(result.path("isError").asBoolean()).isFalse();
    var many = Stream.generate(() -> "\\u0001").limit(30_000).toList();
    var larger = good.call("echo", "{\"text\":\"" + String.join("", many) + "\"}").path("result");
    assertThat(larger.path("isError").asBoolean()).isTrue();
    assertThat(larger.toString()).contains("at most 50,000");
  }

  // --- The order of things ---

  @Test
  void nothing_is_answered_before_the_greeting() throws Exception {
    var reply = stdio(HttpClientOfTest.message("tools/list", "{}")).getFirst();
    assertThat(code(reply)).isEqualTo(Rpc.INVALID_REQUEST);
    var unknown = new HttpClientOfTest(server.address());
    assertThat(unknown.post(HttpClientOfTest.message("tools/list", "{}")).statusCode())
        .isEqualTo(400);
  }

  @Test
  void a_session_is_greeted_once() {
    assertThat(code(stdio(greeting(), greeting()).getLast())).isEqualTo(Rpc.INVALID_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1999-01-01", "2025-11-25, 2025-06-18", "../..", "999999"})
  void a_version_that_does_not_exist_is_refused(String version) throws Exception {
    var request =
        good.request()
            .header("Mcp-Protocol-Version", version)
            .POST(HttpRequest.BodyPublishers.ofString(HttpClientOfTest.message("ping", "{}")))
            .build();
    assertThat(good.send(request).statusCode()).isEqualTo(400);
  }

  @Test
  void a_greeting_without_a_version_is_refused() throws Exception {
    var reply = stdio(greeting().replace("protocolVersion", "x")).getFirst();
    assertThat(code(reply)).isEqualTo(Rpc.INVALID_PARAMS);
  }

  // --- Ids ---

  @ParameterizedTest
  @ValueSource(strings = {"x", "00000000000000000000000000000000", "../../etc", "%00"})
  void a_session_that_does_not_exist_is_not_found(String id) throws Exception {
    var stranger = new HttpClientOfTest(server.address()).as(id);
    assertThat(stranger.post(HttpClientOfTest.message("ping", "{}")).statusCode()).isEqualTo(404);
    assertThat(stranger.send(stranger.request().DELETE().build()).statusCode()).isEqualTo(404);
    assertThat(stranger.send(stranger.request().GET().build()).statusCode()).isEqualTo(404);
  }

  @Test
  void answers_to_what_nobody_asked_are_ignored() throws Exception {
    for (var id : List.of("1", "-1", "\"x\"", "99999999999999999999")) {
      var answer = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
      assertThat(good.post(answer).statusCode()).isIn(202, 400);
    }
  }

  @Test
  void another_session_cannot_answer_what_one_is_asked() throws Exception {
    try (var other = new HttpClientOfTest(server.address()).greet("{}")) {
      var request =
          good.request()
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      HttpClientOfTest.message(
                          "tools/call",
                          "{\"name\":\"refund\",\"arguments\":{\"order\":\"1\",\"cents\":5}}")))
              .build();
      var messages =
          good.open(request)
              .body()
              .map(HttpClientOfTest::message)
              .flatMap(java.util.Optional::stream)
              .iterator();
      var asked = messages.next();
      var answer =
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":"
              + "{\"agreed\":true,\"reason\":\"mine\"}}}";
      other.post(answer.formatted(asked.path("id")));
      JsonNode last = asked;
      while (messages.hasNext()) last = messages.next();
      assertThat(last.toString()).doesNotContain("mine").contains("waits for answers");
    }
  }

  @Test
  void a_client_that_never_answers_holds_up_nobody_but_itself() throws Exception {
    var result = good.call("refund", "{\"order\":\"1\",\"cents\":5}").path("result");
    assertThat(result.path("structuredContent").has("call")).isTrue();
  }

  @Test
  void a_request_with_the_id_of_one_at_work_is_refused() {
    var slow =
        HttpClientOfTest.message(
            "tools/call", "{\"name\":\"sleep\",\"arguments\":{\"millis\":300}}");
    var replies = stdio(greeting(), slow, slow);
    assertThat(replies).anySatisfy(reply -> assertThat(code(reply)).isEqualTo(Rpc.INVALID_REQUEST));
    assertThat(replies.getLast().toString()).contains("slept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "\"1\"", "null", "{}", "\"r1\""})
  void cancelling_what_is_not_at_work_does_nothing(String id) throws Exception {
    var cancel =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}";
    assertThat(good.post(cancel.formatted(id)).statusCode()).isEqualTo(202);
  }

  @Test
  void tasks_and_calls_that_do_not_exist_are_not_found() throws Exception {
    for (var method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
      for (var id : List.of("x", "0".repeat(32), "' or 1=1", "x".repeat(10_000))) {
        assertThat(code(good.ask(method, "{\"taskId\":\"" + id + "\"}")))
            .isEqualTo(Rpc.INVALID_PARAMS);
      }
    }
    assertThat(good.call("answer_call", "{\"call\":\"x\",\"answers\":{}}").toString())
        .contains("There is no call");
  }

  // --- Much ---

  @Test
  void a_flood_of_calls_is_refused_beyond_the_queue() {
    var lines = new ArrayList<String>();
    lines.add(greeting());
    for (int i = 1; i <= 60; i++) {
      lines.add(
          "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":".formatted(i)
              + "{\"name\":\"sleep\",\"arguments\":{\"millis\":100}}}");
    }
    var replies = stdio(lines.toArray(String[]::new));
    assertThat(replies).hasSize(61);
    long refused = replies.stream().filter(reply -> code(reply) == Rpc.BUSY).count();
    assertThat(refused).isBetween(30L, 58L);
  }

  @Test
  void a_flood_of_greetings_gets_only_so_many_sessions() throws Exception {
    var statuses = new ArrayList<Integer>();
    for (int i = 0; i < 40; i++) {
      var client = new HttpClientOfTest(server.address());
      statuses.add(client.post(HttpClientOfTest.GREETING.formatted("{}")).statusCode());
      if (statuses.getLast() == OK && i > 5) client.close();
    }
    assertThat(statuses).contains(503);
    assertThat(good.call("echo", "{\"text\":\"tea\"}").toString()).contains("tea");
    server.close();
    server = host.start(0);
  }

  @Test
  void a_flood_of_subscriptions_is_refused() throws Exception {
    var flooded =
        McpHost.named("many")
            .resource(ServedResource.template("n://{id}", "n", "text/plain", _ -> List.of()))
            .build();
    try (var other = flooded.start(0);
        var client = new HttpClientOfTest(other.address()).greet("{}")) {
      var last = HttpClientOfTest.JSON.readTree("{}");
      for (int i = 0; i <= 1_000; i++)
        last = client.ask("resources/subscribe", "{\"uri\":\"n://" + i + "\"}");
      assertThat(code(last)).isEqualTo(Rpc.BUSY);
    }
  }

  @Test
  void a_client_that_takes_nothing_holds_up_nobody_else() throws Exception {
    var sockets = new ArrayList<Socket>();
    for (int i = 0; i < 20; i++) {
      var socket = new Socket("127.0.0.1", server.port());
      var head =
          "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: "
              + good.session()
              + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      sockets.add(socket);
    }
    assertThat(good.call("echo", "{\"text\":\"tea\"}").toString()).contains("tea");
    for (var socket : sockets) socket.close();
  }

  @Test
  void a_client_that_sends_slowly_holds_up_nobody_else() throws Exception {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write("POST /mcp HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
      assertThat(good.call("echo", "{\"text\":\"tea\"}").toString()).contains("tea");
    }
  }

  @Test
  void a_client_that_closes_its_output_ends_its_session_alone() throws Exception {
    var closed =
        new OutputStream() {
          @Override
          public void write(int b) throws java.io.IOException {
            throw new java.io.IOException("broken pipe");
          }
        };
    try (var to = new PipedOutputStream();
        var in = new PipedInputStream(to, 1 << 16)) {
      to.write((greeting() + "\n" + greeting() + "\n").getBytes(StandardCharsets.UTF_8));
      to.close();
      host.serve(in, closed);
    }
    assertThat(good.call("echo", "{\"text\":\"tea\"}").toString()).contains("tea");
  }

  // --- Pages of other sites ---

  @Test
  void a_page_of_another_site_is_refused() throws Exception {
    var evil =
        good.request()
            .header("Origin", "http://evil.example")
            .POST(HttpRequest.BodyPublishers.ofString(HttpClientOfTest.message("ping", "{}")))
            .build();
    assertThat(good.send(evil).statusCode()).isEqualTo(403);
  }

  @Test
  void a_name_that_somebody_gave_this_machine_is_refused() throws Exception {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /mcp HTTP/1.1\r\nHost: evil.example\r\nAccept: text/event-stream\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      var status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      assertThat(status).isEqualTo("HTTP/1.1 403");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
  void a_form_of_a_page_is_no_message(String type) throws Exception {
    var request =
        HttpRequest.newBuilder(server.address())
            .header("Accept", "*/*")
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(HttpClientOfTest.GREETING.formatted("{}")))
            .build();
    assertThat(good.send(request).statusCode()).isEqualTo(415);
  }

  @Test
  void what_failed_inside_is_not_told() throws Exception {
    var failing =
        McpHost.named("odd")
            .resource(
                ServedResource.of(
                    "n://1",
                    "n",
                    "text/plain",
                    _ -> {
                      throw new IllegalStateException("the password is hunter2");
                    }))
            .build();
    try (var other = failing.start(0);
        var client = new HttpClientOfTest(other.address()).greet("{}")) {
      var reply = client.ask("resources/read", "{\"uri\":\"n://1\"}");
      assertThat(code(reply)).isEqualTo(Rpc.INTERNAL);
      assertThat(reply.toString()).doesNotContain("hunter2");
    }
  }
}
