package dev.superstep.a2a;

import static dev.superstep.a2a.RpcRequests.at;
import static dev.superstep.a2a.RpcRequests.part;
import static dev.superstep.a2a.RpcRequests.said;
import static dev.superstep.a2a.RpcRequests.state;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;

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
    // Tool calls and their results are the agent's own.
    assertThat(task.path("history"))
        .extracting(message -> message.path("parts").path(0).path("text").asString())
        .containsExactly("find 7", "One moment.", "It is here 7.");
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
    assertThat(events.toString()).contains("One moment.");
    assertThat(events.get(events.size() - 2).path("artifactUpdate").path("lastChunk"))
        .isEqualTo(BooleanNode.TRUE);
    assertThat(streamed(events)).isEqualTo("It is here 7.");
    assertThat(state(events.getLast().path("statusUpdate"))).isEqualTo("COMPLETED");
  }

  /// The answer as a client puts it together.
  private static String streamed(List<JsonNode> events) {
    var text = "";
    for (var event : events) {
      var update = event.path("artifactUpdate");
      if (!update.path("artifact").path("artifactId").asString("").equals("answer")) continue;
      var piece = update.path("artifact").path("parts").path(0).path("text").asString("");
      text = update.path("append").booleanValue() ? text + piece : piece;
    }
    return text;
  }

  @Test
  void the_words_of_a_model_come_as_it_says_them() throws Exception {
    var events = rpc.events("slow", "SendStreamingMessage", said("m1", "go", ""));

    var pieces = new ArrayList<String>();
    for (var event : events) {
      var update = event.path("artifactUpdate");
      if (update.isMissingNode()) continue;
      var text = update.path("artifact").path("parts").path(0).path("text").asString();
      var kind = update.path("append").booleanValue() ? "+" : "=";
      pieces.add(kind + text + (update.path("lastChunk").booleanValue() ? "." : ""));
    }
    assertThat(pieces).containsExactly("=One ", "+by ", "+one", "+.");
    var task = events.getFirst().path("task");
    assertThat(answer(rpc.result("slow", "GetTask", id(task)))).isEqualTo("One by one");
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
    // There is one more, at least.
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

  @Test
  void pages_go_on_where_they_ended_while_tasks_change() throws Exception {
    var asking = sent("desk", said("m0", "pay 7", at("c0", "")));
    for (int i = 1; i < 7; i++) sent("desk", said("m" + i, "hello", at("c" + i, "")));

    var listed = new ArrayList<String>();
    var token = "";
    for (int page = 0; page < 10; page++) {
      var params = "{\"pageSize\": 2, \"pageToken\": \"" + token + "\"}";
      var answer = rpc.result("desk", "ListTasks", params);
      for (var task : answer.path("tasks")) listed.add(task.path("contextId").asString());
      token = answer.path("nextPageToken").asString();
      if (token.isEmpty()) break;
      // Each is before the others now.
      sent("desk", said("n" + page, "more", at("d" + page, "")));
    }
    assertThat(listed).containsExactly("c6", "c5", "c4", "c3", "c2", "c1", "c0");

    // A task that has several runs is listed once, by the newest of them.
    sent("desk", said("m9", "approve", at("", asking.path("id").asString())));
    var all = rpc.result("desk", "ListTasks", "{\"contextId\": \"c0\"}");
    assertThat(all.path("tasks")).hasSize(1);
    assertThat(all.path("totalSize").asInt()).isEqualTo(1);
    var newest = rpc.result("desk", "ListTasks", "{\"pageSize\": 1}").path("tasks").path(0);
    assertThat(newest.path("id")).isEqualTo(asking.path("id"));
    var done = "{\"status\": \"TASK_STATE_COMPLETED\", \"contextId\": \"c0\"}";
    assertThat(rpc.result("desk", "ListTasks", done).path("tasks")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5",
        "!",
        "MSAxIHg",
        "LTEgMCAyMDI2LTAxLTAxVDAwOjAwOjAwWiB4",
        "MCA5IDIwMjYtMDEtMDFUMDA6MDA6MDBaIHg"
      })
  void a_token_that_no_page_gave_is_refused(String token) throws Exception {
    var params = "{\"pageToken\": \"" + token + "\"}";
    assertThat(rpc.error("desk", "ListTasks", params)).isEqualTo(-32602);
  }
}
