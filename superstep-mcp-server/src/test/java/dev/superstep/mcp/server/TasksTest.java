package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.mcp.server.internal.call.CallRecord;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.server.ExtensionServer;
import dev.superstep.service.InMemoryServiceStore;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Calls whose results are asked for later.
@Timeout(60)
final class TasksTest {
  static final String COUNT = "{\"name\":\"count\",\"arguments\":{},\"task\":{\"ttl\":600000}}";
  static final String REFUND =
      "{\"name\":\"refund\",\"arguments\":{\"order\":\"1\",\"cents\":5},\"task\":{}}";

  @TempDir Path folder;
  private McpHost host;
  private ExtensionServer server;
  private HttpClientOfTest client;

  @BeforeEach
  void start() throws Exception {
    host =
        DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
            .limits(McpHostLimits.standard().withTasks(2, 100))
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

  private String begin(String params) throws Exception {
    var task = client.ask("tools/call", params).path("result").path("task");
    assertThat(task.path("status").asString()).isEqualTo("working");
    return task.path("taskId").asString();
  }

  private static String id(String task) {
    return "{\"taskId\":\"" + task + "\"}";
  }

  private JsonNode await(String task, String status) throws Exception {
    while (true) {
      var now = client.ask("tasks/get", id(task)).path("result");
      if (now.path("status").asString().equals(status)) return now;
      Thread.sleep(20);
    }
  }

  @Test
  void a_task_is_joined_by_another_session() throws Exception {
    var task = begin(COUNT);
    assertThat(client.ask("tasks/get", id(task)).path("result").path("ttl").asInt())
        .isEqualTo(600_000);
    try (var other = new HttpClientOfTest(server.address()).greet("{}")) {
      Files.writeString(folder.resolve("go"), "");
      var result = other.ask("tasks/result", id(task)).path("result");
      assertThat(result.path("structuredContent").path("count").asInt()).isEqualTo(2);
      assertThat(result.path("_meta").path(CallRecord.RELATED).path("taskId").asString())
          .isEqualTo(task);
    }
    assertThat(await(task, "completed").path("pollInterval").asInt()).isPositive();
  }

  @Test
  void a_task_that_was_cancelled_stops_and_has_no_result() throws Exception {
    var task = begin(COUNT);
    var cancelled = client.ask("tasks/cancel", id(task)).path("result");
    assertThat(cancelled.path("status").asString()).isEqualTo("cancelled");
    Files.writeString(folder.resolve("go"), "");
    assertThat(client.ask("tasks/result", id(task)).has("error")).isTrue();
    assertThat(client.ask("tasks/cancel", id(task)).path("error").path("code").asInt())
        .isEqualTo(Rpc.INVALID_PARAMS);
    assertThat(DeskProgram.effects(folder)).doesNotContain("second");
  }

  @Test
  void a_task_waits_for_a_client_that_can_ask_its_user() throws Exception {
    var task = begin(REFUND);
    assertThat(await(task, "input_required").path("statusMessage").asString()).contains("refund");
    assertThat(client.ask("tasks/result", id(task)).path("error").path("message").asString())
        .contains("waits for an answer");
    try (var person = new HttpClientOfTest(server.address()).greet("{\"elicitation\":{}}")) {
      var request =
          person
              .request()
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      HttpClientOfTest.message("tasks/result", id(task))))
              .build();
      var messages =
          person
              .open(request)
              .body()
              .map(HttpClientOfTest::message)
              .flatMap(java.util.Optional::stream)
              .iterator();
      var asked = messages.next();
      assertThat(asked.path("method").asString()).isEqualTo("elicitation/create");
      assertThat(asked.path("params").path("_meta").has(CallRecord.RELATED)).isTrue();
      var answer =
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":"
              + "{\"agreed\":true,\"reason\":\"broken\"}}}";
      person.post(answer.formatted(asked.path("id")));
      assertThat(messages.next().toString()).contains("\"cents\":5");
    }
  }

  @Test
  void a_question_of_a_task_is_answered_by_the_tool_for_answers() throws Exception {
    var task = begin(REFUND);
    await(task, "input_required");
    var answer = "{\"call\":\"%s\",\"answers\":{\"agreed\":false,\"reason\":\"no\"}}";
    client.call("answer_call", answer.formatted(task));
    var result = client.ask("tasks/result", id(task)).path("result");
    assertThat(result.path("structuredContent").path("cents").asInt()).isZero();
  }

  @Test
  void only_so_many_tasks_are_at_work() throws Exception {
    begin(COUNT);
    begin(COUNT);
    assertThat(client.ask("tools/call", COUNT).path("error").path("code").asInt())
        .isEqualTo(Rpc.BUSY);
  }

  @Test
  void tasks_are_not_listed_to_those_whom_nobody_knows() throws Exception {
    begin(COUNT);
    assertThat(client.ask("tasks/list", "{}").path("error").path("code").asInt())
        .isEqualTo(Rpc.NO_METHOD);
  }

  @Test
  void a_tool_that_is_not_stored_does_not_run_as_a_task() throws Exception {
    var params = "{\"name\":\"echo\",\"arguments\":{\"text\":\"a\"},\"task\":{}}";
    assertThat(client.ask("tools/call", params).path("error").path("code").asInt())
        .isEqualTo(Rpc.NO_METHOD);
    for (var ttl : new String[] {"-1", "\"x\"", "0"}) {
      var odd = COUNT.replace("600000", ttl);
      assertThat(client.ask("tools/call", odd).path("error").path("code").asInt())
          .isEqualTo(Rpc.INVALID_PARAMS);
    }
  }

  @Test
  void a_task_is_gone_when_its_time_is_over() throws Exception {
    var task = begin(COUNT.replace("600000", "1"));
    Thread.sleep(Duration.ofMillis(5));
    begin(COUNT);
    assertThat(client.ask("tasks/get", id(task)).path("error").path("code").asInt())
        .isEqualTo(Rpc.INVALID_PARAMS);
  }
}
