package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server process is killed, and another one on the same stores goes on.
@Timeout(120)
final class KilledServerTest {
  @TempDir Path folder;

  private static URI address(ServerProcess process) {
    return URI.create("http://127.0.0.1:" + process.port() + "/mcp");
  }

  private static String id(String task) {
    return "{\"taskId\":\"" + task + "\"}";
  }

  @Test
  void a_task_goes_on_in_another_process_and_does_nothing_twice() throws Exception {
    String task;
    try (var first = ServerProcess.http(folder);
        var client = new HttpClientOfTest(address(first)).greet("{}")) {
      var begun = client.ask("tools/call", TasksTest.COUNT);
      task = begun.path("result").path("task").path("taskId").asString();
      // The first node is saved when the second one has begun.
      while (!Files.exists(folder.resolve("waiting"))) Thread.sleep(20);
      first.kill();
    }
    try (var second = ServerProcess.http(folder);
        var client = new HttpClientOfTest(address(second)).greet("{}")) {
      Files.writeString(folder.resolve("go"), "");
      var result = client.ask("tasks/result", id(task)).path("result");
      assertThat(result.path("structuredContent").path("count").asInt()).isEqualTo(2);
    }
    assertThat(DeskProgram.effects(folder)).isEqualTo("first\nsecond\n");
  }

  @Test
  void a_task_of_a_server_that_is_told_to_end_goes_on_in_the_next_one() throws Exception {
    String task;
    try (var first = ServerProcess.http(folder);
        var client = ModernClientOfTest.of(first)) {
      task = client.begin("count", "{}");
      while (!Files.exists(folder.resolve("waiting"))) Thread.sleep(20);
      first.stop();
    }
    try (var second = ServerProcess.http(folder);
        var client = ModernClientOfTest.of(second)) {
      assertThat(client.task("get", task, "").path("status").asString()).isEqualTo("working");
      Files.writeString(folder.resolve("go"), "");
      assertThat(client.await(task, "completed").toString()).contains("\"count\":2");
    }
    assertThat(DeskProgram.effects(folder)).isEqualTo("first\nsecond\n");
  }

  @Test
  void an_open_question_is_answered_in_another_process() throws Exception {
    String call;
    try (var first = ServerProcess.stdio(folder).greet("{}")) {
      var waiting =
          first.ask(
              "tools/call", "{\"name\":\"refund\",\"arguments\":{\"order\":\"1\",\"cents\":5}}");
      call = waiting.path("result").path("structuredContent").path("call").asString();
      first.kill();
    }
    try (var second = ServerProcess.stdio(folder).greet("{}")) {
      var answer =
          "{\"name\":\"answer_call\",\"arguments\":{\"call\":\"%s\",\"answers\":"
              + "{\"agreed\":true,\"reason\":\"broken\"}}}";
      var result = second.ask("tools/call", answer.formatted(call)).path("result");
      assertThat(result.path("structuredContent").path("cents").asInt()).isEqualTo(5);
    }
  }

  /// The user has the question before them while the process dies.
  @Test
  void a_task_whose_question_is_shown_is_asked_about_again() throws Exception {
    String task;
    try (var first = ServerProcess.stdio(folder).greet("{\"elicitation\":{}}")) {
      var begun = first.ask("tools/call", TasksTest.REFUND);
      task = begun.path("result").path("task").path("taskId").asString();
      first.send(HttpClientOfTest.message("tasks/result", id(task)));
      while (!first.line().contains("elicitation/create")) {}
      first.kill();
    }
    try (var second = ServerProcess.stdio(folder).greet("{\"elicitation\":{}}")) {
      second.send(HttpClientOfTest.message("tasks/result", id(task)));
      var asked = HttpClientOfTest.JSON.readTree(second.line());
      assertThat(asked.path("method").asString()).isEqualTo("elicitation/create");
      var answer =
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":"
              + "{\"agreed\":true,\"reason\":\"broken\"}}}";
      second.send(answer.formatted(asked.path("id")));
      assertThat(second.reply().toString()).contains("\"cents\":5");
      var listed = second.ask("tasks/list", "{}").path("result").path("tasks");
      assertThat(listed.path(0).path("status").asString()).isEqualTo("completed");
    }
  }
}
