package dev.superstep.a2a;

import static dev.superstep.a2a.RpcRequests.at;
import static dev.superstep.a2a.RpcRequests.said;
import static dev.superstep.a2a.RpcRequests.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aAnswer;
import dev.superstep.a2a.server.A2aServer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.server.AgentServer;
import dev.superstep.server.extension.ServerExtension;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.service.InMemoryServiceStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class RestBindingTest {
  private static final String ANN = "key-of-ann-0123456789";
  private static final String BOB = "key-of-bob-0123456789";

  private final DeskFixture fixture = new DeskFixture();
  private AgentServer server;
  private RestRequests rest;
  private RestRequests bob;

  @BeforeEach
  void start() throws Exception {
    server =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .serving(fixture.served())
            .authenticator(ApiKeys.parse("ann " + ANN + "; bob " + BOB))
            .authorizer(Authorizer.ownThreads())
            .extension(A2aServer.protocol().pushNotifications())
            .extension(new RestCards())
            .start(0);
    rest = new RestRequests(server.address(), ANN);
    bob = new RestRequests(server.address(), BOB);
  }

  @AfterEach
  void close() {
    fixture.go.countDown();
    server.close();
  }

  /// Cards that name the HTTP+JSON binding alone.
  private static final class RestCards implements ServerExtension {
    @Override
    public void addTo(ServerRoutes routes) {
      routes.open(
          "GET",
          "/rest/{agent}/.well-known/agent-card.json",
          request -> {
            var host = request.header("host").orElseThrow();
            var url = "http://%s/a2a/%s/v1".formatted(host, request.part("agent"));
            var binding =
                Map.of("url", url, "protocolBinding", "HTTP+JSON", "protocolVersion", "1.0");
            return ServerResponse.json(
                200, Json.of(Map.of("supportedInterfaces", List.of(binding))));
          });
    }
  }

  private JsonNode sent(String agent, String body) throws Exception {
    return rest.result(agent, "POST /message:send", body).path("task");
  }

  private static String id(JsonNode task) {
    return task.path("id").asString();
  }

  @Test
  void a_card_names_both_bindings() throws Exception {
    var card = new RpcRequests(server.address()).get("/a2a/desk/.well-known/agent-card.json");
    var bindings = card.path("supportedInterfaces");
    assertThat(bindings).hasSize(2);
    assertThat(bindings.path(0).path("protocolBinding").asString()).isEqualTo("JSONRPC");
    assertThat(bindings.path(1).path("protocolBinding").asString()).isEqualTo("HTTP+JSON");
    assertThat(bindings.path(1).path("url").asString())
        .isEqualTo(server.address() + "/a2a/desk/v1");
  }

  @Test
  void a_message_is_a_task_as_in_the_other_binding() throws Exception {
    var answer =
        rest.raw("desk", "POST /message:send", said("m1", "find 7", ""), "application/json");
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/a2a+json");
    var task = rest.result("desk", "POST /message:send", said("m2", "find 8", "")).path("task");

    assertThat(state(task)).isEqualTo("COMPLETED");
    assertThat(rest.result("desk", "GET /tasks/" + id(task), "")).isEqualTo(task);
    var shorter = rest.result("desk", "GET /tasks/" + id(task) + "?historyLength=0", "");
    assertThat(shorter.has("history")).isFalse();
    var rpc = new RpcRequests(server.address(), ANN);
    assertThat(rpc.result("desk", "GetTask", "{\"id\": \"" + id(task) + "\"}")).isEqualTo(task);
  }

  @Test
  void a_question_is_answered_and_a_task_is_cancelled() throws Exception {
    var first = sent("desk", said("m1", "pay 7", ""));
    var done = sent("desk", said("m2", "approve", at("", id(first))));
    assertThat(state(done)).isEqualTo("COMPLETED");

    var second = sent("desk", said("m3", "pay 8", ""));
    var cancelled = rest.result("desk", "POST /tasks/" + id(second) + ":cancel", "");
    assertThat(state(cancelled)).isEqualTo("CANCELED");
    var again = rest.error("desk", "POST /tasks/" + id(first) + ":cancel", "");
    assertThat(again.path("status").asString()).isEqualTo("FAILED_PRECONDITION");
    assertThat(again.path("details").path(0).path("reason").asString())
        .isEqualTo("TASK_NOT_CANCELABLE");
  }

  @Test
  void updates_of_a_task_are_streamed_and_subscribed_to_by_both_methods() throws Exception {
    var streamed = rest.events("desk", "POST /message:stream", said("m1", "find 7", ""));
    assertThat(streamed.getFirst().has("task")).isTrue();
    assertThat(streamed.getLast().path("statusUpdate").path("status").path("state").asString())
        .isEqualTo("TASK_STATE_COMPLETED");

    var asking = sent("desk", said("m2", "pay 7", ""));
    for (var method : List.of("GET", "POST")) {
      var updates = rest.events("desk", method + " /tasks/" + id(asking) + ":subscribe", "");
      assertThat(state(updates.getFirst().path("task"))).isEqualTo("INPUT_REQUIRED");
    }
    var ended = streamed.getFirst().path("task");
    assertThat(
            rest.error("desk", "GET /tasks/" + id(ended) + ":subscribe", "")
                .path("message")
                .asString())
        .contains("has ended");
  }

  @Test
  void tasks_are_listed_by_the_parameters_of_a_query() throws Exception {
    var asking = sent("desk", said("m1", "pay 7", at("c1", "")));
    sent("desk", said("m2", "hello", at("c2", "")));

    assertThat(rest.result("desk", "GET /tasks", "").path("tasks")).hasSize(2);
    var waiting = rest.result("desk", "GET /tasks?status=TASK_STATE_INPUT_REQUIRED&pageSize=1", "");
    assertThat(waiting.path("tasks").path(0).path("id")).isEqualTo(asking.path("id"));
    var second = rest.result("desk", "GET /tasks?contextId=c2&includeArtifacts=true", "");
    assertThat(second.path("tasks").path(0).path("artifacts")).hasSize(1);
  }

  @Test
  void webhooks_are_kept_by_task() throws Exception {
    var configs =
        "/tasks/" + id(sent("desk", said("m1", "pay 7", ""))) + "/pushNotificationConfigs";
    var body = "{\"id\": \"a\", \"url\": \"https://example.com\"}";
    var made = rest.result("desk", "POST " + configs, body);

    assertThat(rest.result("desk", "GET " + configs + "/a", "")).isEqualTo(made);
    assertThat(rest.result("desk", "GET " + configs, "").path("configs")).containsExactly(made);
    rest.result("desk", "DELETE " + configs + "/a", "");
    assertThat(rest.error("desk", "GET " + configs + "/a", "").path("code").asInt()).isEqualTo(404);
    assertThat(bob.error("desk", "GET " + configs, "").path("code").asInt()).isEqualTo(404);
  }

  @Test
  void an_agent_whose_card_prefers_this_binding_is_a_node_here() throws Exception {
    var agent = A2aAgent.at(server.address().resolve("/rest/desk")).apiKey(ANN);
    var options = Office.options(new InMemoryCheckpointer(), "t");
    var graph = Office.graph(agent);

    var asked = (Outcome.Interrupted) graph.invoke(Input.of(Office.ORDER, "pay 7"), options);
    var answer = A2aAgent.QUESTION.answer(asked.questions().getFirst(), A2aAnswer.of("approve"));
    var done = (Outcome.Completed) graph.resume(Answers.none().and(answer), options);

    assertThat(done.state().get(Office.RESULT).text()).isEqualTo("It is paid 7.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET /tasks/none | '' | 404",
        "GET /tasks/none:dance | '' | 404",
        "POST /tasks/none | '' | 404",
        "POST /tasks/none:cancel | '' | 404",
        "GET /tasks?pageSize=x | '' | 400",
        "GET /tasks?pageSize=0 | '' | 400",
        "GET /tasks?pageToken=%2e%2e | '' | 400",
        "GET /extendedAgentCard | '' | 400",
        "POST /message:send | '' | 400",
        "POST /message:send | [] | 400",
        "POST /message:send | { | 400",
        "POST /message:send | {} | 400",
        "POST /message:stream | {\"message\": 7} | 400",
        "POST /tasks/none/pushNotificationConfigs | {\"url\": \"https://a.b\"} | 404",
      })
  void what_is_no_request_is_refused_by_its_status(String line, String body, int status)
      throws Exception {
    assertThat(rest.error("desk", line, body).path("code").asInt()).isEqualTo(status);
    assertThat(fixture.asked).hasValue(0);
  }

  @Test
  void another_type_or_version_and_nobody_are_refused() throws Exception {
    var form = rest.raw("desk", "POST /message:send", said("m1", "x", ""), "text/plain");
    assertThat(RestRequests.error(form).path("details").path(0).path("reason").asString())
        .isEqualTo("CONTENT_TYPE_NOT_SUPPORTED");
    var nobody = new RestRequests(server.address());
    assertThat(nobody.raw("desk", "GET /tasks", "", "").statusCode()).isEqualTo(401);
    var old = new RpcRequests(server.address(), ANN).getWithKey("/a2a/desk/v1/tasks");
    assertThat(old.toString()).contains("VERSION_NOT_SUPPORTED", "Send `A2A-Version: 1.0`.");
    assertThat(fixture.asked).hasValue(0);
  }

  @Test
  void tasks_of_another_client_are_not_there() throws Exception {
    var task = id(sent("desk", said("m1", "pay 7", "")));
    for (var line :
        List.of(
            "GET /tasks/" + task,
            "POST /tasks/" + task + ":cancel",
            "GET /tasks/" + task + ":subscribe")) {
      assertThat(bob.error("desk", line, "").path("code").asInt()).isEqualTo(404);
    }
    assertThat(bob.result("desk", "GET /tasks", "").path("tasks")).isEmpty();
  }
}
