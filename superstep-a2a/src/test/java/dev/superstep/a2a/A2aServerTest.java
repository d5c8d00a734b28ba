package dev.superstep.a2a;

import static dev.superstep.a2a.RpcRequests.at;
import static dev.superstep.a2a.RpcRequests.part;
import static dev.superstep.a2a.RpcRequests.said;
import static dev.superstep.a2a.RpcRequests.state;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class A2aServerTest {
  @TempDir Path folder;
  private final DeskFixture fixture = new DeskFixture();
  private DeskFixture.Running running;
  private RpcRequests rpc;

  @BeforeEach
  void start() throws Exception {
    running = fixture.on(folder.resolve("desk.db"), 0);
    rpc = new RpcRequests(running.server().address());
  }

  @AfterEach
  void close() {
    fixture.go.countDown();
    running.close();
  }

  private JsonNode sent(String agent, String params) throws Exception {
    return rpc.result(agent, "SendMessage", params).path("task");
  }

  private static String id(JsonNode task) {
    return "{\"id\": \"" + task.path("id").asString() + "\"}";
  }

  private static String answer(JsonNode task) {
    for (var artifact : task.path("artifacts")) {
      if (artifact.path("artifactId").asString().equals("answer")) {
        return artifact.path("parts").path(0).path("text").asString();
      }
    }
    return "";
  }

  @Test
  void a_card_tells_where_an_agent_is_and_what_it_can() throws Exception {
    for (var path :
        new String[] {"/.well-known/agent-card.json", "/a2a/desk/.well-known/agent-card.json"}) {
      var card = rpc.get(path);
      assertThat(card.path("name").asString()).isEqualTo("desk");
      assertThat(card.path("description").asString()).isEqualTo("Answers customers");
      var place = card.path("supportedInterfaces").path(0);
      assertThat(place.path("url").asString()).isEqualTo(rpc.server() + "/a2a/desk");
      assertThat(place.path("protocolBinding").asString()).isEqualTo("JSONRPC");
      assertThat(place.path("protocolVersion").asString()).isEqualTo("1.0");
      assertThat(card.path("capabilities").path("pushNotifications").booleanValue()).isFalse();
    }
  }

  @Test
  void a_message_is_a_task_whose_answer_is_an_artifact() throws Exception {
    var task = sent("desk", said("m1", "find 7", ""));

    assertThat(state(task)).isEqualTo("COMPLETED");
    assertThat(answer(task)).isEqualTo("It is here 7.");
    assertThat(task.path("history").path(0).path("role").asString()).isEqualTo("ROLE_USER");
    assertThat(rpc.result("desk", "GetTask", id(task))).isEqualTo(task);
    var short_ = "{\"id\": \"%s\", \"historyLength\": 0}".formatted(task.path("id").asString());
    assertThat(rpc.result("desk", "GetTask", short_).has("history")).isFalse();
  }

  @Test
  void tasks_of_one_context_go_on_with_its_conversation_and_have_their_own_answers()
      throws Exception {
    var first = sent("desk", said("m1", "one", at("c1", "")));
    var second = sent("desk", said("m2", "two", at("c1", "")));

    assertThat(first.path("contextId").asString()).isEqualTo("c1");
    assertThat(answer(second)).isEqualTo("You said: two");
    var again = rpc.result("desk", "GetTask", id(first));
    assertThat(answer(again)).isEqualTo("You said: one");
    assertThat(again.path("history")).hasSize(2);
  }

  @Test
  void a_message_that_comes_twice_is_one_task() throws Exception {
    var first = sent("desk", said("m1", "hello", at("c1", "")));
    var second = sent("desk", said("m1", "hello", at("c1", "")));

    assertThat(second).isEqualTo(first);
    assertThat(fixture.asked).hasValue(1);
  }

  @Test
  void an_approval_is_asked_for_and_given_after_a_restart() throws Exception {
    var task = sent("desk", said("m1", "pay 7", ""));
    assertThat(state(task)).isEqualTo("INPUT_REQUIRED");
    assertThat(task.path("status").path("message").path("parts").path(0).path("text").asString())
        .contains("May pay", "approve");
    running.close();
    start();
    var known = rpc.result("desk", "GetTask", id(task));
    assertThat(state(known)).isEqualTo("INPUT_REQUIRED");
    var taskId = task.path("id").asString();
    // A remark is no approval.
    assertThat(rpc.error("desk", "SendMessage", said("m2", "please do", at("", taskId))))
        .isEqualTo(-32602);

    var done = sent("desk", said("m3", "approve", at("", taskId)));

    assertThat(done.path("id").asString()).isEqualTo(taskId);
    assertThat(state(done)).isEqualTo("COMPLETED");
    assertThat(answer(done)).isEqualTo("It is paid 7.");
    // The same answer again changes nothing.
    assertThat(sent("desk", said("m3", "approve", at("", taskId)))).isEqualTo(done);
    assertThat(rpc.error("desk", "SendMessage", said("m4", "approve", at("", taskId))))
        .isEqualTo(-32004);
  }

  @Test
  void an_agent_without_a_conversation_takes_data_and_gives_data() throws Exception {
    var task = sent("labels", part("m1", "{\"data\": {\"number\": 7}}", ""));
    assertThat(state(task)).isEqualTo("INPUT_REQUIRED");
    var taskId = task.path("id").asString();
    assertThat(
            rpc.error(
                "labels", "SendMessage", part("m2", "{\"data\": {\"a\": 8}}", at("", taskId))))
        .isEqualTo(-32602);

    var done = sent("labels", said("m3", "Ann", at(task.path("contextId").asString(), taskId)));

    assertThat(state(done)).isEqualTo("COMPLETED");
    var data = done.path("artifacts").path(0).path("parts").path(0).path("data");
    assertThat(data.toString()).isEqualTo("{\"number\":7,\"label\":\"Ann7\"}");
  }

  @Test
  void a_stream_begins_with_the_task_and_ends_with_its_state() throws Exception {
    var events = rpc.events("desk", "SendStreamingMessage", said("m1", "find 7", ""));

    assertThat(events.getFirst().has("task")).isTrue();
    assertThat(events.get(1).path("statusUpdate").path("status").path("message").toString())
        .contains("One moment.");
    var artifact = events.get(events.size() - 2).path("artifactUpdate").path("artifact");
    assertThat(artifact.path("parts").path(0).path("text").asString()).isEqualTo("It is here 7.");
    assertThat(state(events.getLast().path("statusUpdate"))).isEqualTo("COMPLETED");
  }

  @Test
  void a_task_at_work_is_subscribed_to_and_cancelled() throws Exception {
    var now =
        """
        {"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "go"}]},
         "configuration": {"returnImmediately": true}}
        """;
    var task = sent("waiting", now);
    assertThat(state(task)).isIn("SUBMITTED", "WORKING");
    fixture.begun.await();
    var other = said("m2", "more", at(task.path("contextId").asString(), ""));
    assertThat(rpc.error("waiting", "SendMessage", other)).isEqualTo(-32004);

    assertThat(state(rpc.result("waiting", "CancelTask", id(task)))).isEqualTo("CANCELED");
    assertThat(state(rpc.result("waiting", "CancelTask", id(task)))).isEqualTo("CANCELED");
    assertThat(rpc.error("waiting", "SubscribeToTask", id(task))).isEqualTo(-32004);
  }

  @Test
  void a_subscriber_gets_what_is_left() throws Exception {
    var now =
        """
        {"message": {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "go"}]},
         "configuration": {"returnImmediately": true}}
        """;
    var task = sent("waiting", now);
    fixture.begun.await();
    fixture.go.countDown();

    var events = rpc.events("waiting", "SubscribeToTask", id(task));

    // It may have ended just before.
    if (!events.isEmpty()) {
      assertThat(events.getFirst().path("task").path("id")).isEqualTo(task.path("id"));
      assertThat(state(events.getLast().path("statusUpdate"))).isEqualTo("COMPLETED");
    } else {
      assertThat(state(rpc.result("waiting", "GetTask", id(task)))).isEqualTo("COMPLETED");
    }
  }

  @Test
  void a_task_that_waits_for_an_answer_is_cancelled_and_its_context_goes_on() throws Exception {
    var task = sent("desk", said("m1", "pay 7", at("c1", "")));
    assertThat(rpc.error("desk", "SendMessage", said("m2", "hello", at("c1", ""))))
        .isEqualTo(-32004);

    assertThat(state(rpc.result("desk", "CancelTask", id(task)))).isEqualTo("CANCELED");

    var next = sent("desk", said("m3", "hello", at("c1", "")));
    assertThat(answer(next)).isEqualTo("You said: hello");
    assertThat(state(rpc.result("desk", "GetTask", id(task)))).isEqualTo("CANCELED");
  }

  @Test
  void a_failure_is_a_state() throws Exception {
    var task = sent("failing", part("m1", "{\"data\": {}}", ""));

    assertThat(state(task)).isEqualTo("FAILED");
    assertThat(task.path("status").path("message").toString()).contains("Boo!");
    assertThat(rpc.error("failing", "CancelTask", id(task))).isEqualTo(-32002);
  }

  @Test
  void tasks_are_listed_page_by_page() throws Exception {
    for (int i = 0; i < 3; i++) sent("desk", said("m" + i, "hello " + i, at("c" + i, "")));
    sent("desk", said("m3", "pay 7", at("c1", "")));

    var first = rpc.result("desk", "ListTasks", "{\"pageSize\": 3}");
    assertThat(first.path("tasks")).hasSize(3);
    assertThat(first.path("totalSize").asInt()).isEqualTo(4);
    assertThat(state(first.path("tasks").path(0))).isEqualTo("INPUT_REQUIRED");
    var token = first.path("nextPageToken").asString();
    var second =
        rpc.result("desk", "ListTasks", "{\"pageSize\": 3, \"pageToken\": \"" + token + "\"}");
    assertThat(second.path("tasks")).hasSize(1);
    assertThat(second.path("nextPageToken").asString()).isEmpty();
    assertThat(rpc.result("desk", "ListTasks", "{\"contextId\": \"c1\"}").path("tasks")).hasSize(2);
    var waiting = "{\"status\": \"TASK_STATE_INPUT_REQUIRED\"}";
    assertThat(rpc.result("desk", "ListTasks", waiting).path("tasks")).hasSize(1);
  }
}
