package dev.superstep.a2a;

import static dev.superstep.a2a.RpcRequests.at;
import static dev.superstep.a2a.RpcRequests.request;
import static dev.superstep.a2a.RpcRequests.said;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.a2a.server.A2aServer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.server.AgentServer;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.server.security.Authorizer;
import dev.superstep.service.InMemoryServiceStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class HostileRequestsTest {
  private static final String ANN = "key-of-ann-0123456789";
  private static final String BOB = "key-of-bob-0123456789";
  private static final int BODY_MAX = 100_000;

  private final Authorizer owners = Authorizer.ownThreads();
  private final AtomicInteger asked = new AtomicInteger();
  private AgentServer server;
  private RpcRequests ann;
  private RpcRequests bob;

  @BeforeEach
  void start() throws Exception {
    start(A2aServer.protocol().publicAt(URI.create("https://agents.example.com/")));
  }

  private void start(A2aServer protocol) throws Exception {
    var http = HttpLimits.defaults().withBody(BODY_MAX, 100);
    server =
        AgentServer.on(new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .serving(new DeskFixture().served())
            .authenticator(ApiKeys.parse("ann " + ANN + "; bob " + BOB))
            .authorizer((who, what) -> {
              asked.incrementAndGet();
              return owners.decide(who, what);
            })
            .options(ServerOptions.defaults().withHttp(http))
            .extension(protocol)
            .start(0);
    ann = new RpcRequests(server.address(), ANN);
    bob = new RpcRequests(server.address(), BOB);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void the_card_is_for_everybody_and_the_agent_is_not() throws Exception {
    var nobody = new RpcRequests(server.address());
    var card = nobody.get("/a2a/desk/.well-known/agent-card.json");
    assertThat(card.path("supportedInterfaces").path(0).path("url").asString())
        .isEqualTo("https://agents.example.com/a2a/desk");
    var refused = nobody.raw("desk", request("ListTasks", "{}"), "1.0");
    assertThat(refused.statusCode()).isEqualTo(401);
  }

  @Test
  void a_small_page_of_many_tasks_is_little_work() throws Exception {
    for (int i = 0; i < 12; i++) ann.result("desk", "SendMessage", said("m" + i, "hello", ""));
    asked.set(0);
    var page = ann.result("desk", "ListTasks", "{\"pageSize\": 1}");
    assertThat(page.path("tasks")).hasSize(1);
    assertThat(page.path("totalSize").asInt()).isEqualTo(12);
    assertThat(asked).hasValueLessThan(12);
  }

  @Test
  void a_task_of_somebody_else_is_as_if_it_were_not_there() throws Exception {
    var task = ann.result("desk", "SendMessage", said("m1", "pay 7", at("c1", ""))).path("task");
    var id = task.path("id").asString();
    var named = "{\"id\": \"" + id + "\"}";

    for (var method : new String[] {"GetTask", "CancelTask", "SubscribeToTask"}) {
      assertThat(bob.error("desk", method, named)).as(method).isEqualTo(-32001);
    }
    assertThat(bob.error("desk", "SendMessage", said("m2", "approve", at("", id))))
        .isEqualTo(-32001);
    var taken = bob.answer("desk", "SendMessage", said("m3", "hello", at("c1", "")));
    assertThat(taken.path("error").path("code").asInt()).isEqualTo(-32602);
    assertThat(taken.toString()).doesNotContain("pay");
    assertThat(bob.result("desk", "ListTasks", "{}").path("tasks")).isEmpty();
    // Of another agent it is none either.
    assertThat(ann.error("labels", "GetTask", named)).isEqualTo(-32001);
    assertThat(ann.result("desk", "ListTasks", "{}").path("tasks")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ | -32700",
        "[] | -32600",
        "{} | -32600",
        "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"GetTask\"} | -32600",
        "{\"jsonrpc\": \"2.0\", \"method\": \"GetTask\"} | -32600",
        "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"GetTask\"} | -32600",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"message/send\"} | -32601",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"GetTask\", \"params\": []} | -32602",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"GetTask\", \"params\": {}} | -32602",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"SendMessage\", \"params\": {}} | -32602",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"GetExtendedAgentCard\"} | -32004",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"CreateTaskPushNotificationConfig\"} |"
            + " -32003",
      })
  void what_is_no_request_is_refused_by_its_code(String body, int code) throws Exception {
    var answer = ann.raw("desk", body, "1.0");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"code\":" + code);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"message\": 7}",
        "{\"message\": {\"messageId\": \"\", \"role\": \"ROLE_USER\", \"parts\": [{\"text\":"
            + " \"a\"}]}}",
        "{\"message\": {\"messageId\": \"m\", \"role\": \"ROLE_AGENT\", \"parts\": [{\"text\":"
            + " \"a\"}]}}",
        "{\"message\": {\"messageId\": \"m\", \"role\": \"ROLE_USER\", \"parts\": []}}",
        "{\"message\": {\"messageId\": \"m\", \"role\": \"ROLE_USER\", \"parts\": [{\"text\":"
            + " \"a\"}], \"contextId\": \"a b\"}}",
        "{\"message\": {\"messageId\": \"m\", \"role\": \"ROLE_USER\", \"parts\": [{\"text\":"
            + " \"a\"}], \"contextId\": \"..\"}}",
      })
  void a_message_that_is_none_begins_nothing(String params) throws Exception {
    assertThat(ann.error("desk", "SendMessage", params)).isIn(-32602, -32600);
    assertThat(ann.result("desk", "ListTasks", "{}").path("tasks")).isEmpty();
  }

  @Test
  void a_part_of_no_kind_is_refused_as_such() throws Exception {
    assertThat(ann.error("desk", "SendMessage", RpcRequests.part("m", "{}", ""))).isEqualTo(-32005);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0.3", "2.0", "one"})
  void another_version_is_refused(String version) throws Exception {
    var answer = ann.raw("desk", request("ListTasks", "{}"), version);
    assertThat(answer.body()).contains("-32009", "1.0");
  }

  @Test
  void a_large_body_is_refused_and_an_unknown_agent_is_not_there() throws Exception {
    var large = said("m1", "x".repeat(BODY_MAX), "");
    assertThat(ann.raw("desk", request("SendMessage", large), "1.0").statusCode()).isEqualTo(413);
    assertThat(ann.raw("dsk", request("ListTasks", "{}"), "1.0").statusCode()).isEqualTo(404);
  }

  @Test
  void push_notifications_are_refused_before_a_task_begins() throws Exception {
    var params =
        "{\"message\": {\"messageId\": \"m\", \"role\": \"ROLE_USER\", \"parts\": [{\"text\":"
            + " \"a\"}]}, \"configuration\": {\"taskPushNotificationConfig\": {\"url\":"
            + " \"http://10.0.0.1/\"}}}";
    assertThat(ann.error("desk", "SendMessage", params)).isEqualTo(-32003);
    assertThat(ann.result("desk", "ListTasks", "{}").path("tasks")).isEmpty();
  }

  @Test
  void a_card_names_no_host_that_the_server_does_not_answer_to() throws Exception {
    var client = HttpClient.newHttpClient();
    var card =
        client.send(
            HttpRequest.newBuilder(server.address().resolve("/.well-known/agent-card.json"))
                .build(),
            BodyHandlers.ofString());
    assertThat(card.body()).contains("https://agents.example.com/a2a/desk");
  }

  @Test
  void webhooks_are_for_the_client_of_the_task() throws Exception {
    server.close();
    start(A2aServer.protocol().pushNotifications());
    var task = ann.result("desk", "SendMessage", said("m1", "pay 7", "")).path("task").path("id");
    var config =
        "{\"taskId\": %s, \"id\": \"a\", \"url\": \"https://example.com\"}".formatted(task);
    ann.result("desk", "CreateTaskPushNotificationConfig", config);

    for (var method : new String[] {"Create", "Get", "Delete"}) {
      assertThat(bob.error("desk", method + "TaskPushNotificationConfig", config))
          .isEqualTo(-32001);
    }
    assertThat(bob.error("desk", "ListTaskPushNotificationConfigs", config)).isEqualTo(-32001);
    var all = ann.result("desk", "ListTaskPushNotificationConfigs", config).path("configs");
    assertThat(all).hasSize(1);
  }
}
