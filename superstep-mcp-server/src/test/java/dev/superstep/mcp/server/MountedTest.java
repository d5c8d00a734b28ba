package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.server.AgentServer;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.service.InMemoryServiceStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An MCP server inside an agent server, whose clients show who they are.
@Timeout(60)
final class MountedTest {
  private static final String ANN = "Bearer ann-0123456789abcdef";
  private static final String BOB = "Bearer bob-0123456789abcdef";
  private static final String EVE = "Bearer eve-0123456789abcdef";

  @TempDir Path folder;
  private AgentServer server;
  private McpHost host;

  @BeforeEach
  void start() throws Exception {
    var states = new InMemoryCheckpointer();
    var records = InMemoryServiceStore.open();
    host =
        DeskProgram.host(folder, states, records)
            .allowing((principal, tool) -> !principal.equals("bob") || !tool.equals("pay"))
            .build();
    var keys =
        ApiKeys.parse(
            "ann ann-0123456789abcdef;bob bob-0123456789abcdef;eve eve-0123456789abcdef read");
    server =
        AgentServer.on(states, records).authenticator(keys).extension(host.extension()).start(0);
  }

  @AfterEach
  void stop() {
    server.close();
    host.close();
  }

  private URI address() {
    return server.address().resolve("/mcp");
  }

  private HttpClientOfTest as(String token) throws Exception {
    return new HttpClientOfTest(address(), "Authorization", token).greet("{}");
  }

  @Test
  void a_client_must_show_who_it_is() throws Exception {
    var nobody = new HttpClientOfTest(address());
    var reply = nobody.post(HttpClientOfTest.GREETING.formatted("{}"));
    assertThat(reply.statusCode()).isEqualTo(401);
    assertThat(reply.headers().firstValue("www-authenticate")).contains("Bearer");
  }

  @Test
  void the_session_of_somebody_else_is_not_found() throws Exception {
    try (var ann = as(ANN);
        var bob = as(BOB)) {
      var stolen = new HttpClientOfTest(address(), "Authorization", BOB).as(ann.session());
      assertThat(stolen.post(HttpClientOfTest.message("ping", "{}")).statusCode()).isEqualTo(404);
      assertThat(stolen.send(stolen.request().DELETE().build()).statusCode()).isEqualTo(404);
      assertThat(bob.post(HttpClientOfTest.message("ping", "{}")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void the_tasks_and_calls_of_somebody_else_are_not_found() throws Exception {
    try (var ann = as(ANN);
        var bob = as(BOB)) {
      var task =
          ann.ask("tools/call", TasksTest.REFUND)
              .path("result")
              .path("task")
              .path("taskId")
              .asString();
      var call =
          ann.call("refund", "{\"order\":\"1\",\"cents\":5}")
              .path("result")
              .path("structuredContent")
              .path("call")
              .asString();
      var id = "{\"taskId\":\"" + task + "\"}";
      for (var method : new String[] {"tasks/get", "tasks/result", "tasks/cancel"}) {
        assertThat(bob.ask(method, id).path("error").path("code").asInt())
            .isEqualTo(Rpc.INVALID_PARAMS);
      }
      assertThat(bob.ask("tasks/list", "{}").path("result").path("tasks").size()).isZero();
      assertThat(ann.ask("tasks/list", "{}").path("result").path("tasks").size()).isEqualTo(1);
      var answer = "{\"call\":\"%s\",\"answers\":{\"agreed\":true,\"reason\":\"\"}}";
      assertThat(bob.call("answer_call", answer.formatted(call)).toString())
          .contains("There is no call");
      assertThat(ann.call("answer_call", answer.formatted(call)).toString())
          .contains("\"cents\":5");
    }
  }

  @Test
  void tasks_are_listed_page_by_page_and_odd_cursors_are_refused() throws Exception {
    var records = InMemoryServiceStore.open();
    var keys = ApiKeys.parse("ann ann-0123456789abcdef");
    try (var small =
            DeskProgram.host(folder, new InMemoryCheckpointer(), records)
                .limits(McpHostLimits.standard().withPage(2))
                .build();
        var mounted =
            AgentServer.on(new InMemoryCheckpointer(), records)
                .authenticator(keys)
                .extension(small.extension())
                .start(0);
        var ann =
            new HttpClientOfTest(mounted.address().resolve("/mcp"), "Authorization", ANN)
                .greet("{}")) {
      for (int i = 0; i < 3; i++) ann.ask("tools/call", TasksTest.REFUND);
      var first = ann.ask("tasks/list", "{}").path("result");
      assertThat(first.path("tasks").size()).isEqualTo(2);
      var next = first.path("nextCursor").asString();
      var second = ann.ask("tasks/list", "{\"cursor\":\"" + next + "\"}").path("result");
      assertThat(second.path("tasks").size()).isEqualTo(1);
      assertThat(second.has("nextCursor")).isFalse();
      var far = ann.ask("tasks/list", "{\"cursor\":\"after-99999999\"}").path("result");
      assertThat(far.path("tasks").size()).isZero();
      for (var odd : new String[] {"after--1", "after-999999999999", "x", ""}) {
        assertThat(
                ann.ask("tasks/list", "{\"cursor\":\"" + odd + "\"}")
                    .path("error")
                    .path("code")
                    .asInt())
            .isEqualTo(Rpc.INVALID_PARAMS);
      }
    }
  }

  @Test
  void a_key_that_may_only_read_calls_nothing() throws Exception {
    try (var eve = as(EVE)) {
      assertThat(eve.ask("tools/list", "{}").path("result").path("tools").size()).isPositive();
      var call = HttpClientOfTest.message("tools/call", "{\"name\":\"echo\",\"arguments\":{}}");
      assertThat(eve.post(call).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void a_tool_that_a_principal_may_not_call_is_as_if_it_were_not_there() throws Exception {
    try (var bob = as(BOB)) {
      assertThat(bob.ask("tools/list", "{}").toString()).doesNotContain("\"pay\"");
      assertThat(bob.call("pay", "{}").path("error").path("code").asInt())
          .isEqualTo(Rpc.INVALID_PARAMS);
    }
  }

  @Test
  void the_API_of_the_server_is_beside_it() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var openapi = HttpRequest.newBuilder(server.address().resolve("/openapi.json")).build();
      var reply = http.send(openapi, HttpResponse.BodyHandlers.ofString());
      assertThat(reply.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void our_client_sends_its_token() throws Exception {
    var mine = McpServer.http("orders", address()).bearer(() -> "ann-0123456789abcdef");
    try (var connection = mine.connect()) {
      assertThat(connection.call("echo", Json.parse("{\"text\":\"tea\"}")).text()).isEqualTo("tea");
    }
  }
}
