package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.content.ServedResource;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.message.Content;
import dev.superstep.server.ExtensionServer;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.tool.Tool;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Answers of a server, seen by a client without a library.
@Timeout(60)
final class HttpServingTest {
  @TempDir Path folder;
  private McpHost host;
  private ExtensionServer server;
  private HttpClientOfTest client;

  @BeforeEach
  void start() throws Exception {
    host =
        DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .resource(ServedResource.of("notes://1", "one", "text/plain", _ -> Content.of("One.")))
            .prompt(
                ServedPrompt.of("hello", "Greets.", _ -> List.of(ServedPrompt.Line.user("Hello."))))
            .limits(McpHostLimits.standard().withPage(3))
            .build();
    server = host.start(0);
    client = new HttpClientOfTest(server.address()).greet("{}");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    host.close();
  }

  private List<JsonNode> tools() throws Exception {
    var all = new ArrayList<JsonNode>();
    var cursor = "{}";
    while (true) {
      var page = client.ask("tools/list", cursor).path("result");
      page.path("tools").forEach(all::add);
      if (!page.has("nextCursor")) return all;
      cursor = "{\"cursor\":\"" + page.path("nextCursor").asString() + "\"}";
    }
  }

  private static String text(JsonNode reply) {
    return reply.path("result").path("content").path(0).path("text").asString("");
  }

  @Test
  void tools_are_listed_page_by_page_with_what_is_known_of_them() throws Exception {
    var all = tools();
    assertThat(all.stream().map(tool -> tool.path("name").asString()))
        .containsExactly(
            "find_order",
            "refund",
            "echo",
            "sleep",
            "fail",
            "pay",
            "weigh",
            "names",
            "break",
            "desk",
            "count",
            "answer_call");
    var find = all.getFirst();
    assertThat(find.path("annotations").path("readOnlyHint").asBoolean()).isTrue();
    assertThat(find.path("execution").path("taskSupport").asString()).isEqualTo("forbidden");
    var refund = all.get(1);
    assertThat(refund.path("inputSchema").path("properties").has("cents")).isTrue();
    assertThat(refund.path("outputSchema").path("properties").has("note")).isTrue();
    assertThat(refund.has("annotations")).isFalse();
    assertThat(refund.path("execution").path("taskSupport").asString()).isEqualTo("optional");
    assertThat(all.get(5).path("annotations").path("destructiveHint").asBoolean()).isTrue();
  }

  @Test
  void a_page_that_does_not_exist_is_an_error() throws Exception {
    for (var cursor : List.of("after-99999", "after--1", "x", "after-99999999999")) {
      var reply = client.ask("tools/list", "{\"cursor\":\"" + cursor + "\"}");
      assertThat(reply.path("error").path("code").asInt()).isEqualTo(Rpc.INVALID_PARAMS);
    }
  }

  @Test
  void an_agent_answers_a_task() throws Exception {
    assertThat(text(client.call("desk", "{\"task\":\"Where is 4711?\"}")))
        .isEqualTo("I found this. Order 4711: a teapot, 30.00 EUR, delivered.");
  }

  @Test
  void a_structured_result_is_sent_with_its_text() throws Exception {
    var result = client.call("weigh", "{}").path("result");
    assertThat(result.path("structuredContent").path("grams").asInt()).isEqualTo(5);
    assertThat(result.path("content").path(0).path("text").asString()).isEqualTo("5 g");
  }

  @Test
  void bad_arguments_are_told_to_the_model_and_run_nothing() throws Exception {
    var result = client.call("echo", "{\"text\":5}").path("result");
    assertThat(result.path("isError").asBoolean()).isTrue();
    assertThat(result.path("content").path(0).path("text").asString())
        .contains("arguments are not valid");
  }

  @Test
  void an_unknown_tool_is_an_error_of_the_protocol() throws Exception {
    assertThat(client.call("nothing", "{}").path("error").path("code").asInt())
        .isEqualTo(Rpc.INVALID_PARAMS);
  }

  @Test
  void a_failure_of_a_tool_is_a_result() throws Exception {
    assertThat(client.call("fail", "{}").path("result").path("isError").asBoolean()).isTrue();
  }

  /// Calls a tool of a client whose user puts each form away.
  private static JsonNode cancelled(HttpClientOfTest person, String tool, String arguments)
      throws Exception {
    var call = "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments);
    var body = HttpRequest.BodyPublishers.ofString(HttpClientOfTest.message("tools/call", call));
    var messages =
        person
            .open(person.request().POST(body).build())
            .body()
            .map(HttpClientOfTest::message)
            .flatMap(java.util.Optional::stream)
            .iterator();
    var asked = messages.next();
    assertThat(asked.path("method").asString()).isEqualTo("elicitation/create");
    var no = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"cancel\"}}";
    person.post(no.formatted(asked.path("id")));
    return messages.next().path("result");
  }

  @Test
  void the_model_of_a_client_with_forms_does_not_approve_in_place_of_its_user() throws Exception {
    try (var person =
        new HttpClientOfTest(server.address()).greet("{\"elicitation\":{\"form\":{}}}")) {
      var open = cancelled(person, "pay", "{}").path("structuredContent");
      var answer = "{\"call\":\"%s\",\"answers\":{\"approved\":true}}";
      var made = answer.formatted(open.path("call").asString());
      assertThat(cancelled(person, "answer_call", made).path("isError").asBoolean()).isTrue();
      assertThat(DeskProgram.effects(folder)).isEmpty();
    }
  }

  @Test
  void an_answer_that_does_not_fit_is_told_and_the_call_still_waits() throws Exception {
    var call =
        client
            .call("refund", "{\"order\":\"1\",\"cents\":5}")
            .path("result")
            .path("structuredContent")
            .path("call")
            .asString();
    var bad = "{\"call\":\"%s\",\"answers\":{\"agreed\":\"perhaps\"}}".formatted(call);
    assertThat(text(client.call("answer_call", bad))).contains("does not fit");
    var good = "{\"call\":\"%s\",\"answers\":{\"agreed\":true,\"reason\":\"broken\"}}";
    var result = client.call("answer_call", good.formatted(call)).path("result");
    assertThat(result.path("structuredContent").path("cents").asInt()).isEqualTo(5);
    // The reply may have been lost, so the result can be fetched again.
    var again = client.call("answer_call", good.formatted(call)).path("result");
    assertThat(again.path("structuredContent").path("cents").asInt()).isEqualTo(5);
  }

  @Test
  void a_change_of_tools_is_told_to_clients_that_listen() throws Exception {
    var listening = client.open(client.request().GET().build());
    host.changeTools(tools -> {
      var more = new ArrayList<>(tools);
      more.add(Tool.of("shout", "Loud.", DeskProgram.Nothing.class, (_, _) -> "!"));
      return more;
    });
    host.resourceChanged("notes://1");
    var first =
        listening
            .body()
            .map(HttpClientOfTest::message)
            .flatMap(java.util.Optional::stream)
            .findFirst();
    assertThat(first.orElseThrow().path("method").asString())
        .isEqualTo("notifications/tools/list_changed");
    assertThat(text(client.call("shout", "{}"))).isEqualTo("!");
  }

  @Test
  void a_subscribed_resource_that_changes_is_told() throws Exception {
    var _ = client.ask("resources/subscribe", "{\"uri\":\"notes://1\"}");
    host.resourceChanged("notes://1");
    host.resourceChanged("notes://2");
    var listening = client.open(client.request().GET().build());
    var first =
        listening
            .body()
            .map(HttpClientOfTest::message)
            .flatMap(java.util.Optional::stream)
            .findFirst();
    assertThat(first.orElseThrow().path("params").path("uri").asString()).isEqualTo("notes://1");
  }

  @Test
  void resources_that_do_not_exist_are_not_read_and_not_watched() throws Exception {
    for (var method : List.of("resources/read", "resources/subscribe")) {
      var reply = client.ask(method, "{\"uri\":\"notes://9\"}");
      assertThat(reply.path("error").path("code").asInt()).isEqualTo(Rpc.NO_RESOURCE);
    }
    assertThat(client.ask("resources/read", "{\"uri\":\"notes://1\"}").toString()).contains("One.");
  }

  @Test
  void a_session_ends_when_its_client_says_so() throws Exception {
    assertThat(client.send(client.request().DELETE().build()).statusCode()).isEqualTo(204);
    assertThat(client.post(HttpClientOfTest.message("ping", "{}")).statusCode()).isEqualTo(404);
  }

  @Test
  void an_older_revision_is_spoken_with_older_clients_and_the_newest_with_unknown_ones()
      throws Exception {
    var cases =
        List.of("2025-06-18", "2025-06-18", "2025-03-26", "2025-03-26", "1999-01-01", "2025-11-25");
    for (int i = 0; i < cases.size(); i += 2) {
      var greeting = HttpClientOfTest.GREETING.formatted("{}").replace("2025-11-25", cases.get(i));
      var reply = HttpClientOfTest.reply(new HttpClientOfTest(server.address()).post(greeting));
      assertThat(reply.path("result").path("protocolVersion").asString())
          .isEqualTo(cases.get(i + 1));
    }
  }

  @Test
  void a_call_that_was_cancelled_gets_no_reply() throws Exception {
    var request =
        client
            .request()
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    HttpClientOfTest.message(
                        "tools/call", "{\"name\":\"sleep\",\"arguments\":{\"millis\":50000}}")))
            .build();
    var stream = client.open(request);
    var cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":%s}";
    client.post(cancel.formatted("{\"requestId\":1}"));
    assertThat(stream.body().filter(line -> line.startsWith("data: {"))).isEmpty();
  }

  @Test
  void a_client_whose_connection_broke_hears_the_rest() throws Exception {
    var request =
        client
            .request()
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    HttpClientOfTest.message(
                        "tools/call", "{\"name\":\"echo\",\"arguments\":{\"text\":\"tea\"}}")))
            .build();
    var id =
        client
            .open(request)
            .body()
            .filter(line -> line.startsWith("id: "))
            .findFirst()
            .orElseThrow();
    var rest = client.send(client.request().header("Last-Event-ID", id.substring(4)).GET().build());
    assertThat(rest.body()).contains("tea");
    var lost = client.send(client.request().header("Last-Event-ID", "r99-1").GET().build());
    assertThat(lost.statusCode()).isEqualTo(404);
  }

  @Test
  void names_and_paths_are_checked() {
    assertThatThrownBy(() -> McpHost.named("no spaces")).hasMessageContaining("no spaces");
    assertThatThrownBy(() -> host.extension("mcp")).hasMessageContaining("/mcp");
    assertThatThrownBy(
            () -> McpHost.named("a").tool(OrderDesk.FIND_ORDER).tool(OrderDesk.FIND_ORDER))
        .hasMessageContaining("find_order");
  }
}
