package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.mcp.server.content.ClientQuestions;
import dev.superstep.mcp.server.content.ClientRoots;
import dev.superstep.mcp.server.content.ModelReply;
import dev.superstep.mcp.server.content.ModelRequest;
import dev.superstep.mcp.server.content.ServedPrompt;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.node.Question;
import dev.superstep.schema.JsonSchema;
import dev.superstep.server.ExtensionServer;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Questions that the client itself answers, and prompts that ask.
@Timeout(60)
final class ClientQuestionsTest {
  private static final String MODEL = "{\"sampling\":{}}";
  private static final String PARIS =
      "{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"Paris\"}}";
  private static final Question<String, Who> WHO = Question.of("who_asks", String.class, Who.class);

  private final AtomicInteger begun = new AtomicInteger();
  private McpHost host;
  private ExtensionServer server;

  record Nothing() {}

  record Who(String name) {}

  @BeforeEach
  void start() throws Exception {
    host =
        McpHost.named("asking")
            .tool(
                Tool.of(
                        "capital",
                        "Asks for the capital.",
                        Nothing.class,
                        (_, context) -> {
                          begun.incrementAndGet();
                          return context
                              .ask(ClientQuestions.MODEL, ModelRequest.of("Which city?", 10))
                              .text();
                        })
                    .withQuestions(ClientQuestions.MODEL))
            .tool(
                Tool.of(
                        "places",
                        "Lists folders.",
                        Nothing.class,
                        (_, context) ->
                            context.ask(ClientQuestions.ROOTS, "to list them").roots().toString())
                    .withQuestions(ClientQuestions.ROOTS))
            .tool(
                Tool.of(
                        "region",
                        "Says where.",
                        JsonSchema.parse(
                            Json.parse(
                                """
                                {"type": "object", "properties":
                                  {"region": {"type": "string", "x-mcp-header": "Region"}}}
                                """)),
                        (given, _) -> given)
                    .withPolicy(ToolPolicy.readOnly()))
            .prompt(
                ServedPrompt.asking(
                    "hello",
                    "Greets.",
                    (_, context) ->
                        List.of(
                            ServedPrompt.Line.user(
                                "Greet " + context.ask(WHO, "Who are you?").name())),
                    WHO))
            .build();
    server = host.start(0);
  }

  @AfterEach
  void stop() {
    server.close();
    host.close();
  }

  private ModernClientOfTest modern(String capabilities) {
    return new ModernClientOfTest(server.address(), capabilities, "");
  }

  private static String state(JsonNode asked) {
    return ",\"requestState\":\"" + asked.path("requestState").asString() + "\"";
  }

  @Test
  void the_model_of_the_client_is_asked_in_the_result_and_once() throws Exception {
    try (var client = modern(MODEL)) {
      var asked = client.call("capital", "{}", "");
      var request = asked.path("inputRequests").path(ClientQuestions.MODEL.name());
      assertThat(request.path("method").asString()).isEqualTo("sampling/createMessage");
      assertThat(request.path("params").path("maxTokens").asInt()).isEqualTo(10);
      var answer = ",\"inputResponses\":{\"%s\":%s}".formatted(ClientQuestions.MODEL.name(), PARIS);
      var end = client.call("capital", "{}", state(asked) + answer);
      assertThat(end.path("content").path(0).path("text").asString()).isEqualTo("Paris");
    }
  }

  @Test
  void the_folders_of_the_client_are_asked_for_in_the_result() throws Exception {
    try (var client = modern("{\"roots\":{}}")) {
      var asked = client.call("places", "{}", "");
      assertThat(asked.path("inputRequests").toString()).contains("roots/list");
      var answer =
          ",\"inputResponses\":{\"%s\":{\"roots\":[{\"uri\":\"file:///a\",\"name\":\"a\"}]}}"
              .formatted(ClientQuestions.ROOTS.name());
      assertThat(client.call("places", "{}", state(asked) + answer).toString())
          .contains("file:///a");
      var odd = answer.replace("\"file:///a\"", "5");
      var second = client.call("places", "{}", "");
      assertThat(client.call("places", "{}", state(second) + odd).path("resultType").asString())
          .isEqualTo("input_required");
    }
  }

  @Test
  void a_client_without_the_ability_gets_an_error_and_nothing_stays() throws Exception {
    try (var client = modern("{}")) {
      var params = "\"name\":\"capital\",\"arguments\":{}";
      var reply = client.send("tools/call", "capital", params);
      assertThat(reply.statusCode()).isEqualTo(400);
      var error = HttpClientOfTest.reply(reply).path("error");
      assertThat(error.path("code").asInt()).isEqualTo(Rpc.MISSING_CAPABILITY);
      assertThat(error.path("data").path("requiredCapabilities").has("sampling")).isTrue();
      assertThat(host.openCalls()).isEmpty();
    }
  }

  @Test
  void a_client_with_a_session_is_asked_by_a_request_of_the_server() throws Exception {
    try (var client = new HttpClientOfTest(server.address()).greet(MODEL)) {
      var body = HttpClientOfTest.message("tools/call", "{\"name\":\"capital\",\"arguments\":{}}");
      var request = client.request().POST(HttpRequest.BodyPublishers.ofString(body)).build();
      var messages =
          client
              .open(request)
              .body()
              .map(HttpClientOfTest::message)
              .flatMap(java.util.Optional::stream)
              .iterator();
      var asked = messages.next();
      assertThat(asked.path("method").asString()).isEqualTo("sampling/createMessage");
      client.post(
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(asked.path("id"), PARIS));
      assertThat(messages.next().toString()).contains("Paris");
    }
  }

  @Test
  void a_task_asks_the_model_of_the_client_that_fetches_its_result() throws Exception {
    String task;
    try (var first = new HttpClientOfTest(server.address()).greet("{}")) {
      var begun = first.ask("tools/call", "{\"name\":\"capital\",\"arguments\":{},\"task\":{}}");
      task = begun.path("result").path("task").path("taskId").asString();
    }
    try (var client = new HttpClientOfTest(server.address()).greet(MODEL)) {
      var body = HttpClientOfTest.message("tasks/result", "{\"taskId\":\"" + task + "\"}");
      var request = client.request().POST(HttpRequest.BodyPublishers.ofString(body)).build();
      var messages =
          client
              .open(request)
              .body()
              .map(HttpClientOfTest::message)
              .flatMap(java.util.Optional::stream)
              .iterator();
      var asked = messages.next();
      assertThat(asked.path("method").asString()).isEqualTo("sampling/createMessage");
      assertThat(asked.path("params").path("_meta").toString()).contains(task);
      client.post(
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(asked.path("id"), PARIS));
      assertThat(messages.next().toString()).contains("Paris");
    }
  }

  @Test
  void a_session_without_a_model_leaves_the_question_to_the_tool_for_answers() throws Exception {
    try (var client = new HttpClientOfTest(server.address()).greet("{}")) {
      var waiting = client.call("capital", "{}").path("result").path("structuredContent");
      var answer =
          "{\"call\":\"%s\",\"answers\":%s}".formatted(waiting.path("call").asString(), PARIS);
      assertThat(client.call("answer_call", answer).toString()).contains("Paris");
    }
  }

  @Test
  void a_prompt_asks_in_its_result_and_in_a_session_by_a_form() throws Exception {
    try (var client = modern("{\"elicitation\":{}}")) {
      var asked = client.ask("prompts/get", "hello", "\"name\":\"hello\"");
      assertThat(asked.path("resultType").asString()).isEqualTo("input_required");
      var answer =
          ",\"inputResponses\":{\"who_asks\":{\"action\":\"accept\",\"content\":"
              + "{\"name\":\"Ann\"}}}";
      var params = "\"name\":\"hello\"" + state(asked) + answer;
      var end = client.ask("prompts/get", "hello", params);
      assertThat(end.path("messages").toString()).contains("Greet Ann");
      assertThat(end.path("description").asString()).isEqualTo("Greets.");
    }
    try (var client = new HttpClientOfTest(server.address()).greet("{}")) {
      var error = client.ask("prompts/get", "{\"name\":\"hello\"}").path("error");
      assertThat(error.path("message").asString()).contains("waits for answers");
      var answer = "{\"call\":\"%s\",\"answers\":{\"name\":\"Bob\"}}";
      var call = host.openCalls().getFirst().id();
      assertThat(client.call("answer_call", answer.formatted(call)).toString())
          .contains("Greet Bob");
    }
  }

  @Test
  void a_header_that_repeats_an_argument_must_say_the_same() throws Exception {
    try (var client = modern("{}")) {
      var params = "\"name\":\"region\",\"arguments\":{\"region\":\"a b\"}";
      assertThat(status(client, params, "Mcp-Param-Region", "a b")).isEqualTo(200);
      assertThat(status(client, params, "Mcp-Param-Region", "=?base64?YSBi?=")).isEqualTo(200);
      assertThat(status(client, params, "Mcp-Param-Region", "=?base64?YSBi!?=")).isEqualTo(400);
      assertThat(status(client, params, "Mcp-Param-Region", "other")).isEqualTo(400);
      assertThat(status(client, params)).isEqualTo(400);
      var without = "\"name\":\"region\",\"arguments\":{}";
      assertThat(status(client, without)).isEqualTo(200);
      assertThat(status(client, without, "Mcp-Param-Region", "a")).isEqualTo(400);
    }
  }

  private static int status(ModernClientOfTest client, String params, String... headers)
      throws Exception {
    return client.send("tools/call", "region", params, headers).statusCode();
  }

  @Test
  void what_clients_are_asked_says_what_it_is() {
    assertThat(ModelRequest.of("a", 5).toString()).contains("ModelRequest", "maxTokens=5");
    assertThat(new ModelReply("a", "m", "").toString()).contains("ModelReply");
    assertThat(new ClientRoots(List.of()).toString()).contains("ClientRoots");
  }
}
