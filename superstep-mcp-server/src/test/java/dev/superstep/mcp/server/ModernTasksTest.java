package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.graph.Threads;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.TaskUse;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.server.AgentServer;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Calls of revision 2026-07-28 as tasks, by the extension for them.
@Timeout(90)
final class ModernTasksTest {
  private static final String ANN = "ann-0123456789abcdef";
  private static final String BOB = "bob-0123456789abcdef";
  private static final String REFUND = "{\"order\":\"1\",\"cents\":5}";
  private static final String YES =
      ",\"inputResponses\":{\"agree_to_refund\":{\"action\":\"accept\",\"content\":"
          + "{\"agreed\":true,\"reason\":\"broken\"}}}";

  private static final Question<String, Approval> SPEND =
      Question.of("spend", String.class, Approval.class);

  @TempDir Path folder;
  private final InMemoryCheckpointer states = new InMemoryCheckpointer();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private ServiceStore records;
  private McpHost host;
  private AgentServer server;
  private ModernClientOfTest ann;

  @BeforeEach
  void start() throws Exception {
    records = InMemoryServiceStore.open();
    host =
        DeskProgram.host(folder, states, records)
            .tool(
                Tool.of(
                        "spend",
                        "Spends twice.",
                        DeskProgram.Nothing.class,
                        (_, context) -> spent(context))
                    .withQuestions(SPEND))
            .allowing((_, tool) -> !forbidden.contains(tool))
            .tasks("fail", TaskUse.POSSIBLE)
            .tasks("sleep", TaskUse.ALWAYS)
            .build();
    var keys = ApiKeys.parse("ann " + ANN + ";bob " + BOB);
    server =
        AgentServer.on(states, records).authenticator(keys).extension(host.extension()).start(0);
    ann = client(ModernClientOfTest.TASKS, ANN);
  }

  @AfterEach
  void stop() {
    ann.close();
    server.close();
    host.close();
  }

  private ModernClientOfTest client(String capabilities, String key) {
    return new ModernClientOfTest(server.address().resolve("/mcp"), capabilities, key);
  }

  private static String spent(ToolContext context) {
    boolean isOnce = context.ask(SPEND, "1 euro?").approved();
    return isOnce && context.ask(SPEND, "1000 euros?").approved() ? "1001" : "less";
  }

  private static String answer(String question, String name) {
    return ",\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"name\":\"%s\"}}}"
        .formatted(question, name);
  }

  @Test
  void a_stored_call_of_a_client_with_tasks_is_a_task_with_its_result_in_it() throws Exception {
    var created = ann.call("count", "{}", "");
    assertThat(created.path("resultType").asString()).isEqualTo("task");
    assertThat(created.has("requestState")).isFalse();
    assertThat(created.path("ttlMs").asLong()).isPositive();
    var id = created.path("taskId").asString();
    assertThat(ann.task("get", id, "").path("status").asString()).isEqualTo("working");
    Files.writeString(folder.resolve("go"), "");
    var end = ann.await(id, "completed");
    assertThat(end.path("result").path("structuredContent").path("count").asInt()).isEqualTo(2);
    assertThat(end.path("result").has("_meta")).isFalse();
    assertThat(end.path("resultType").asString()).isEqualTo("complete");
  }

  @Test
  void a_client_without_tasks_waits_for_its_result_and_gets_no_tasks() throws Exception {
    try (var client = client("{\"elicitation\":{}}", ANN)) {
      Files.writeString(folder.resolve("go"), "");
      var result = client.call("count", "{}", "");
      assertThat(result.path("structuredContent").path("count").asInt()).isEqualTo(2);
      for (var method : new String[] {"get", "update", "cancel"}) {
        var error = client.task(method, "x", ",\"inputResponses\":{}");
        assertThat(error.path("code").asInt()).isEqualTo(Rpc.MISSING_CAPABILITY);
      }
      var needed = client.call("sleep", "{\"millis\":1}", "");
      assertThat(needed.path("code").asInt()).isEqualTo(Rpc.MISSING_CAPABILITY);
      assertThat(needed.toString()).contains("io.modelcontextprotocol/tasks");
    }
  }

  @Test
  void a_question_of_a_task_is_in_it_and_is_answered_by_an_update() throws Exception {
    var task = ann.begin("refund", REFUND);
    var waiting = ann.await(task, "input_required");
    assertThat(waiting.path("inputRequests").iterator().next().path("method").asString())
        .isEqualTo("elicitation/create");
    var misfit = ann.update(task, YES.replace("true", "\"perhaps\""));
    assertThat(misfit.path("code").asInt()).isEqualTo(Rpc.INVALID_PARAMS);
    assertThat(ann.update(task, YES).path("resultType").asString()).isEqualTo("complete");
    assertThat(ann.await(task, "completed").toString()).contains("\"cents\":5");
    assertThat(ann.update(task, YES).has("code")).isFalse();
  }

  @Test
  void answers_to_some_questions_wait_for_those_to_the_others() throws Exception {
    var task = ann.begin("names", "{}");
    assertThat(ann.await(task, "input_required").path("inputRequests").size()).isEqualTo(2);
    ann.update(task, answer("left_name", "Ann"));
    var still = ann.task("get", task, "");
    assertThat(still.path("status").asString()).isEqualTo("input_required");
    assertThat(still.path("inputRequests").propertyNames())
        .singleElement()
        .asString()
        .startsWith("right_name-");
    ann.update(task, answer("right_name", "Bob"));
    assertThat(ann.await(task, "completed").toString()).contains("Ann", "Bob");
  }

  @Test
  void a_task_whose_thread_was_rewound_asks_again() throws Exception {
    var task = ann.begin("names", "{}");
    ann.await(task, "input_required");
    ann.update(task, answer("left_name", "Ann"));
    var threads = Threads.in(states);
    var thread = "mcp-" + task;
    threads.rewind(thread, threads.history(thread, Optional.empty(), 100).getLast().id());
    ann.task("get", task, "");
    var again = ann.await(task, "input_required");
    assertThat(again.path("inputRequests").size()).isEqualTo(2);
    ann.update(task, answer("left_name", "Eve"));
    ann.update(task, answer("right_name", "Bob"));
    assertThat(ann.await(task, "completed").toString()).contains("Eve", "Bob");
  }

  @Test
  void a_client_without_forms_answers_no_question_that_it_was_not_asked() throws Exception {
    var tasks = ModernClientOfTest.TASKS.replace("\"elicitation\":{},", "");
    try (var client = client(tasks, ANN)) {
      var task = client.begin("pay", "{}");
      var waiting = client.await(task, "input_required");
      assertThat(waiting.path("inputRequests").isEmpty()).isTrue();
      var key = ann.task("get", task, "").path("inputRequests").propertyNames().iterator().next();
      var yes =
          ",\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"approved\":true}}}"
              .formatted(key);
      client.task("update", task, yes);
      assertThat(client.task("get", task, "").path("status").asString())
          .isEqualTo("input_required");
      ann.task("update", task, yes);
      ann.await(task, "completed");
      assertThat(DeskProgram.effects(folder)).isEqualTo("paid\n");
    }
  }

  @Test
  void a_task_of_a_tool_that_is_not_allowed_any_more_takes_no_answers() throws Exception {
    var task = ann.begin("refund", REFUND);
    ann.await(task, "input_required");
    forbidden.add("refund");
    assertThat(ann.update(task, YES).path("code").asInt()).isEqualTo(Rpc.INVALID_PARAMS);
    assertThat(ann.task("get", task, "").path("status").asString()).isEqualTo("input_required");
    forbidden.clear();
    ann.update(task, YES);
    assertThat(ann.await(task, "completed").toString()).contains("\"cents\":5");
  }

  @Test
  void an_answer_that_is_sent_again_approves_nothing_further() throws Exception {
    var task = ann.begin("spend", "{}");
    var first = ann.await(task, "input_required").path("inputRequests").propertyNames();
    var yes =
        ",\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"approved\":true}}}"
            .formatted(first.iterator().next());
    ann.task("update", task, yes);
    var second = first;
    while (second.isEmpty() || second.equals(first)) {
      second = ann.await(task, "input_required").path("inputRequests").propertyNames();
    }
    ann.task("update", task, yes);
    var still = ann.task("get", task, "");
    assertThat(still.path("status").asString()).isEqualTo("input_required");
    assertThat(still.path("inputRequests").propertyNames()).isEqualTo(second);
  }

  @Test
  void a_tool_that_fails_completes_and_a_call_that_breaks_fails() throws Exception {
    var failed = ann.await(ann.begin("fail", "{}"), "completed");
    assertThat(failed.path("result").path("isError").asBoolean()).isTrue();
    var broken = ann.await(ann.begin("break", "{}"), "failed");
    assertThat(broken.path("error").path("code").asInt()).isEqualTo(Rpc.INTERNAL);
    assertThat(broken.has("result")).isFalse();
    assertThat(broken.toString()).doesNotContain("secret");
  }

  @Test
  void nobody_else_sees_a_task() throws Exception {
    var task = ann.begin("refund", REFUND);
    try (var bob = client(ModernClientOfTest.TASKS, BOB)) {
      for (var method : new String[] {"get", "update", "cancel"}) {
        assertThat(bob.task(method, task, YES).path("code").asInt()).isEqualTo(Rpc.INVALID_PARAMS);
      }
    }
    assertThat(ann.await(task, "input_required").has("inputRequests")).isTrue();
  }

  @Test
  void a_partly_answered_task_is_answered_in_another_process_after_a_kill() throws Exception {
    String task;
    try (var first = ServerProcess.http(folder);
        var client = ModernClientOfTest.of(first)) {
      task = client.begin("names", "{}");
      client.await(task, "input_required");
      client.update(task, answer("right_name", "Bob"));
      first.kill();
    }
    try (var second = ServerProcess.http(folder);
        var client = ModernClientOfTest.of(second)) {
      var waiting = client.await(task, "input_required");
      assertThat(waiting.path("inputRequests").propertyNames())
          .singleElement()
          .asString()
          .startsWith("left_name-");
      client.update(task, answer("left_name", "Ann"));
      assertThat(client.await(task, "completed").toString()).contains("Ann", "Bob");
    }
  }

  @Test
  void a_task_that_another_process_is_about_to_begin_is_left_to_it() throws Exception {
    var mayBegin = new CountDownLatch(1);
    var slow =
        new ForwardingCheckpointer(states) {
          @Override
          public Lease acquire(String thread, String owner, Duration time) {
            try {
              mayBegin.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return super.acquire(thread, owner, time);
          }
        };
    Files.writeString(folder.resolve("go"), "");
    try (var other = DeskProgram.host(folder, slow, records).build();
        var otherServer = other.start(0);
        var at = new ModernClientOfTest(otherServer.address(), ModernClientOfTest.TASKS, "");
        var here = DeskProgram.host(folder, states, records).build();
        var hereServer = here.start(0);
        var by = new ModernClientOfTest(hereServer.address(), ModernClientOfTest.TASKS, "")) {
      var task = at.begin("count", "{}");
      for (int i = 0; i < 100; i++) {
        assertThat(by.task("get", task, "").path("status").asString()).isEqualTo("working");
      }
      assertThat(DeskProgram.effects(folder)).isEmpty();
      mayBegin.countDown();
      by.await(task, "completed");
      assertThat(DeskProgram.effects(folder)).isEqualTo("first\nsecond\n");
    }
  }

  @Test
  void a_task_is_cancelled_by_way_of_another_process_and_its_result_outlives_both()
      throws Exception {
    try (var first = ServerProcess.http(folder);
        var second = ServerProcess.http(folder);
        var one = ModernClientOfTest.of(first);
        var other = ModernClientOfTest.of(second)) {
      var done = one.begin("refund", REFUND);
      other.await(done, "input_required");
      other.update(done, YES);
      assertThat(one.await(done, "completed").toString()).contains("\"cents\":5");
      var task = one.begin("count", "{}");
      while (!Files.exists(folder.resolve("waiting"))) Thread.sleep(20);
      other.task("cancel", task, "");
      assertThat(one.await(task, "cancelled").has("result")).isFalse();
      Files.writeString(folder.resolve("go"), "");
      first.kill();
      second.kill();
      try (var third = ServerProcess.http(folder);
          var last = ModernClientOfTest.of(third)) {
        assertThat(last.task("get", done, "").toString()).contains("\"cents\":5");
        assertThat(last.task("get", task, "").path("status").asString()).isEqualTo("cancelled");
      }
    }
  }
}
