package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.mcp.config.McpEntry;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that are tasks of their server, by both forms that the protocol has for them.
@Timeout(60)
final class TaskCallsTest {
  private static final String OLD = "2025-11-25";
  private static final String NEW = "2026-07-28";
  private static final Json NOTHING = Json.parse("{}");
  private static final Duration DAY = Duration.ofDays(1);

  private final Checkpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private TaskServer tasks;

  @BeforeEach
  void start() throws Exception {
    tasks = new TaskServer();
  }

  @AfterEach
  void stop() {
    tasks.close();
  }

  private McpServer server(String revision) {
    var server = tasks.server().tasks(DAY);
    return revision.equals(NEW) ? server.stateless() : server;
  }

  private static Agent<String> agent(McpConnection connection) throws InterruptedException {
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text((result.error() ? "error: " : "") + result.text())
                : ScriptedModel.calls(new ToolCall("c1", "odd_work", "{}")));
    return Agent.named("desk").model(model).tools(Tools.of(connection.tools())).build();
  }

  private static String answer(AgentResult<String> result) {
    assertThat(result).isInstanceOf(AgentResult.Answered.class);
    return ((AgentResult.Answered<String>) result).answer();
  }

  private static CompletableFuture<String> inBackground(
      Agent<String> agent, RunOptions options, List<Thread> threads) {
    var end = new CompletableFuture<String>();
    threads.add(
        Thread.ofVirtual()
            .start(() -> {
              try {
                end.complete(answer(agent.run("Go.", options)));
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            }));
    return end;
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_call_is_a_task_and_its_result_is_waited_for(String revision) throws Exception {
    try (var connection = server(revision).connect()) {
      assertThat(connection.revision()).isEqualTo(revision);
      var end = inBackground(agent(connection), options, new ArrayList<>());
      tasks.await("tasks/get", 3);
      tasks.set("task-1", "completed");
      assertThat(end.get()).isEqualTo("done task-1");
      assertThat(tasks.count("tools/call")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_file_chooses_the_protocol_and_tasks(String revision) throws Exception {
    tasks.beginning("completed");
    var table =
        Json.of(Map.of("url", tasks.address().toString(), "protocol", revision, "tasks", 60));
    var server = McpEntry.of("odd", table).server(Path.of("/"), _ -> null);
    try (var connection = server.connect()) {
      assertThat(connection.revision()).isEqualTo(revision);
      assertThat(connection.call("work", NOTHING).text()).isEqualTo("done task-1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_program_without_an_agent_waits_for_a_task_too(String revision) throws Exception {
    tasks.beginning("completed");
    try (var connection = server(revision).connect()) {
      assertThat(connection.call("only", NOTHING).text()).isEqualTo("done task-1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD})
  void only_tools_that_offer_it_are_called_as_tasks_and_those_that_need_it_are_left_out_otherwise(
      String revision) throws Exception {
    try (var connection = server(revision).connect()) {
      assertThat(connection.call("plain", NOTHING).text()).isEqualTo("at once");
      assertThat(connection.definitions()).hasSize(3);
    }
    try (var connection = tasks.server().connect()) {
      assertThat(connection.call("work", NOTHING).text()).isEqualTo("at once");
      assertThat(connection.skipped()).singleElement().asString().contains("only as a task");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_question_of_a_task_waits_for_a_person_and_another_connection_follows_the_same_task(
      String revision) throws Exception {
    tasks.beginning("input_required");
    String question;
    try (var connection = server(revision).asking().connect()) {
      var waiting = (AgentResult.Waiting<String>) agent(connection).run("Go.", options);
      question = waiting.questions().getFirst().id();
      assertThat(McpQuestions.ELICITED.read(waiting.questions().getFirst()).message())
          .isEqualTo("Which?");
    }
    try (var connection = server(revision).asking().connect()) {
      var size = McpAnswer.accept(Json.parse("{\"size\":42}"));
      var answers = Answers.of(question, McpQuestions.ELICITED, size);
      assertThat(answer(agent(connection).resume(answers, options)))
          .startsWith("done task-1 with")
          .contains("'size':42");
      assertThat(tasks.count("tools/call")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_question_of_a_task_is_answered_over_the_same_connection(String revision) throws Exception {
    tasks.beginning("input_required");
    try (var connection = server(revision).asking().connect()) {
      var agent = agent(connection);
      var waiting = (AgentResult.Waiting<String>) agent.run("Go.", options);
      var size = McpAnswer.accept(Json.parse("{\"size\":7}"));
      var answers = Answers.of(waiting.questions().getFirst().id(), McpQuestions.ELICITED, size);
      assertThat(answer(agent.resume(answers, options))).contains("'size':7");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void an_agent_in_a_node_of_another_graph_keeps_its_task(String revision) throws Exception {
    tasks.beginning("input_required");
    var said = Channel.latest("said", String.class);
    for (int i = 1; i <= 2; i++) {
      try (var connection = server(revision).asking().connect()) {
        var graph =
            Graph.named("outer")
                .channels(said)
                .node("desk", agent(connection).asking(_ -> "Go.", text -> Update.of(said, text)))
                .edge(Graph.START, "desk")
                .edge("desk", Graph.END)
                .compile();
        if (i == 1) {
          var _ = graph.invoke(Input.none(), options);
        } else {
          var size = McpAnswer.accept(Json.parse("{\"size\":1}"));
          var end = graph.resume(Answers.to(McpQuestions.ELICITED, size), options);
          assertThat(((Outcome.Completed) end).state().get(said)).startsWith("done task-1");
        }
      }
    }
    assertThat(tasks.count("tools/call")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_run_that_is_cancelled_cancels_its_task(String revision) throws Exception {
    try (var connection = server(revision).connect()) {
      var threads = new ArrayList<Thread>();
      var end = inBackground(agent(connection), options, threads);
      tasks.await("tasks/get", 1);
      threads.getFirst().interrupt();
      assertThatThrownBy(end::get).isNotNull();
      tasks.await("tasks/cancel", 1);
      assertThat(tasks.messages("tasks/cancel").getFirst().path("params").path("taskId").asString())
          .isEqualTo("task-1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_task_is_cancelled_when_the_time_of_the_call_is_over(String revision) throws Exception {
    var brief = tasks.server().tasks(Duration.ofMillis(700));
    try (var connection = (revision.equals(NEW) ? brief.stateless() : brief).connect()) {
      assertThat(answer(agent(connection).run("Go.", options))).startsWith("error: ");
      tasks.await("tasks/cancel", 1);
      assertThatThrownBy(() -> connection.call("work", NOTHING))
          .isInstanceOf(McpFailed.TimedOut.class);
      assertThat(tasks.count("tasks/cancel")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_task_that_its_server_has_forgotten_or_cancelled_is_an_error_that_says_so(String revision)
      throws Exception {
    try (var connection = server(revision).connect()) {
      var end = inBackground(agent(connection), options, new ArrayList<>());
      tasks.await("tasks/get", 1);
      tasks.forget("task-1");
      assertThat(end.get())
          .startsWith("error: MCP server `odd` has no result for task `task-1`")
          .contains("look before you try again");
    }
    tasks.beginning("cancelled");
    try (var connection = server(revision).connect()) {
      assertThatThrownBy(() -> connection.call("work", NOTHING))
          .isInstanceOf(McpFailed.TaskLost.class)
          .hasMessageContaining("was cancelled there");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NEW})
  void a_task_that_failed_is_the_error_that_it_failed_with(String revision) throws Exception {
    tasks.beginning("failed");
    try (var connection = server(revision).connect()) {
      assertThatThrownBy(() -> connection.call("work", NOTHING))
          .isInstanceOf(McpFailed.Refused.class)
          .hasMessageContaining("out of paper");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_server_that_cannot_be_reached_for_a_moment_is_asked_again(String revision)
      throws Exception {
    try (var connection = server(revision).connect()) {
      tasks.beginning("completed");
      tasks.fail(2);
      assertThat(connection.call("work", NOTHING).text()).startsWith("done");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_run_that_is_rewound_repeats_the_call_only_if_effects_are_to_be_repeated(String revision)
      throws Exception {
    tasks.beginning("completed");
    try (var connection = server(revision).connect()) {
      var agent = agent(connection);
      assertThat(answer(agent.run("Go.", options))).isEqualTo("done task-1");
      var threads = Threads.in(store);
      var start = threads.history("t", Optional.empty(), 100).getLast().id();
      threads.rewind("t", start);
      assertThat(answer(agent.resume(Answers.none(), options))).isEqualTo("done task-1");
      threads.repeatingEffects().rewind("t", start);
      assertThat(answer(agent.resume(Answers.none(), options))).isEqualTo("done task-2");
      assertThat(tasks.count("tools/call")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {NEW})
  void a_task_that_nobody_asked_for_is_refused(String revision) throws Exception {
    try (var odd =
            new StrangeServer("{\"resultType\":\"task\",\"taskId\":\"t\",\"status\":\"working\"}");
        var connection = odd.server().stateless().connect()) {
      assertThatThrownBy(() -> connection.call("work", NOTHING))
          .isInstanceOf(McpFailed.Misbehaved.class)
          .hasMessageContaining("made a task");
    }
    for (var bad :
        new String[] {
          "{\"resultType\":\"task\",\"status\":\"working\"}",
          "{\"resultType\":\"task\",\"taskId\":\"" + "t".repeat(2_000) + "\"}",
        }) {
      try (var odd = new StrangeServer(bad);
          var connection = odd.server().stateless().tasks(DAY).connect()) {
        assertThatThrownBy(() -> connection.call("work", NOTHING))
            .isInstanceOf(McpFailed.Misbehaved.class)
            .hasMessageContaining("usable id");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OLD, NEW})
  void a_change_of_what_a_task_says_of_itself_is_progress(String revision) throws Exception {
    var told = new CopyOnWriteArrayList<String>();
    try (var connection = server(revision).connect()) {
      var call = new ToolCaller.Call("work", NOTHING, Duration.ofSeconds(20), Optional.empty());
      var task = connection.call(call, _ -> {}, null).task().orElseThrow();
      var end = new CompletableFuture<String>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              end.complete(connection.caller().follow(task, call, told::add, null).result().text());
            } catch (Throwable e) {
              end.completeExceptionally(e);
            }
          });
      tasks.await("tasks/get", 4);
      tasks.set("task-1", "completed");
      assertThat(end.get()).isEqualTo("done task-1");
      assertThat(told)
          .filteredOn(text -> !text.isEmpty())
          .containsExactly("is working", "is completed");
    }
  }
}
