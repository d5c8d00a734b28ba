package dev.superstep.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aAnswer;
import dev.superstep.a2a.client.A2aFailed;
import dev.superstep.a2a.client.A2aResult;
import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class A2aAgentTest {
  @TempDir Path folder;
  private final DeskFixture fixture = new DeskFixture();
  private final InMemoryCheckpointer here = new InMemoryCheckpointer();
  private DeskFixture.Running running;

  @BeforeEach
  void start() throws Exception {
    running = fixture.on(folder.resolve("desk.db"), 0);
  }

  @AfterEach
  void close() {
    fixture.go.countDown();
    running.close();
  }

  private URI address(String agent) {
    return running.server().address().resolve("/a2a/" + agent);
  }

  private A2aAgent agent(String name) {
    return A2aAgent.at(address(name));
  }

  private int tasks(String agent) throws Exception {
    var listed = new RpcRequests(running.server().address()).result(agent, "ListTasks", "{}");
    return listed.path("totalSize").asInt();
  }

  private static A2aResult result(Outcome outcome) {
    return ((Outcome.Completed) outcome).state().get(Office.RESULT);
  }

  @Test
  void an_agent_elsewhere_is_a_node_here() throws Exception {
    var graph = Office.graph(agent("desk"));

    var result = result(graph.invoke(Input.of(Office.ORDER, "find 7"), Office.options(here, "t")));

    assertThat(result.text()).isEqualTo("It is here 7.");
    assertThat(result.task()).isNotEmpty();
  }

  @Test
  void its_questions_are_asked_here_one_after_the_other() throws Exception {
    var graph = Office.graph(agent("desk"));
    var options = Office.options(here, "t");
    var asked = (Outcome.Interrupted) graph.invoke(Input.of(Office.ORDER, "pay 7"), options);
    var question = asked.questions().getFirst();
    var payload = A2aAgent.QUESTION.read(question);
    assertThat(payload.text()).contains("May pay");
    assertThat(payload.needsAuthentication()).isFalse();
    // Another process, and other servers: only what is saved counts.
    running.close();
    start();
    var answer = A2aAgent.QUESTION.answer(question, A2aAnswer.of("approve"));

    var result = result(Office.graph(agent("desk")).resume(Answers.none().and(answer), options));

    assertThat(result.text()).isEqualTo("It is paid 7.");
    assertThat(tasks("desk")).isEqualTo(1);
  }

  @Test
  void an_answer_may_be_data_and_a_wrong_one_fails_with_the_reason() throws Exception {
    var graph = Office.graph(agent("desk"));
    var options = Office.options(here, "t");
    var asked = (Outcome.Interrupted) graph.invoke(Input.of(Office.ORDER, "pay 7"), options);
    var data = dev.superstep.json.Json.parse("{\"approved\": false}");
    var answer =
        A2aAgent.QUESTION.answer(
            asked.questions().getFirst(), new A2aAnswer("", Optional.of(data)));
    var result = result(graph.resume(Answers.none().and(answer), options));
    assertThat(result.text()).doesNotContain("paid");

    var other = Office.options(here, "u");
    var again = (Outcome.Interrupted) graph.invoke(Input.of(Office.ORDER, "pay 8"), other);
    var wrong = A2aAgent.QUESTION.answer(again.questions().getFirst(), A2aAnswer.of("well"));
    assertThatThrownBy(() -> graph.resume(Answers.none().and(wrong), other))
        .isInstanceOf(NodeFailed.class)
        .hasMessageContaining("answer `approve` or `reject`");
  }

  @Test
  void a_task_that_fails_there_fails_the_node() {
    var graph = Office.graph(agent("failing"));
    assertThatThrownBy(() -> graph.invoke(Input.of(Office.ORDER, "go"), Office.options(here, "t")))
        .isInstanceOf(NodeFailed.class)
        .hasRootCauseInstanceOf(A2aFailed.class)
        .hasMessageContaining("Boo!");
  }

  @Test
  void a_process_that_is_killed_while_it_waits_leaves_one_task_that_is_joined() throws Exception {
    var file = folder.resolve("office.db");
    var process = office(file);
    fixture.begun.await();
    process.destroyForcibly().waitFor();
    fixture.go.countDown();

    try (var store = SqliteCheckpointer.open(file)) {
      var graph = Office.graph(agent("waiting"));
      var result = result(graph.resume(Answers.none(), Office.options(store, "t")));
      assertThat(result.data().toString()).contains("done");
    }
    assertThat(tasks("waiting")).isEqualTo(1);
  }

  private Process office(Path file) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Office.class.getName(),
            address("waiting").toString(),
            file.toString(),
            "go")
        .inheritIO()
        .start();
  }

  @Test
  void a_cancelled_run_cancels_the_task_there() throws Exception {
    var graph = Office.graph(agent("waiting"));
    try (var stream = graph.stream(Input.of(Office.ORDER, "go"), Office.options(here, "t"))) {
      fixture.begun.await();
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }

    var rpc = new RpcRequests(running.server().address());
    var begun = rpc.result("waiting", "ListTasks", "{}").path("tasks").path(0).path("id");
    var named = "{\"id\": " + begun + "}";
    // Ends with the task.
    var _ = rpc.events("waiting", "SubscribeToTask", named);
    var task = rpc.result("waiting", "GetTask", named);
    assertThat(RpcRequests.state(task)).isEqualTo("CANCELED");
  }

  @Test
  void an_agent_elsewhere_is_a_tool_whose_questions_are_those_of_the_caller() throws Exception {
    var call = new ToolCall("c1", "ask_desk", "{\"message\":\"pay 7\"}");
    var told = new AtomicReference<String>();
    var model =
        ScriptedModel.by(request -> {
          if (!(request.messages().getLast() instanceof ToolMessage result)) {
            return ScriptedModel.calls(call);
          }
          told.set(result.text());
          return ScriptedModel.text("Done.");
        });
    var asker =
        Agent.named("asker").model(model).tools(agent("desk").tool("ask_desk", "Asks.")).build();
    var graph = asker.graph();
    var options = Office.options(here, "t");
    var input = asker.input(List.of(Message.user("Pay for 7.")));
    var asked = (Outcome.Interrupted) graph.invoke(input, options);
    var answer = A2aAgent.QUESTION.answer(asked.questions().getFirst(), A2aAnswer.of("approve"));

    var end = (Outcome.Completed) graph.resume(Answers.none().and(answer), options);

    assertThat(end).isNotNull();
    assertThat(told).hasValue("It is paid 7.");
    assertThat(tasks("desk")).isEqualTo(1);
  }

  @Test
  void an_address_of_another_scheme_is_refused() {
    assertThatThrownBy(() -> A2aAgent.at(URI.create("file:///etc")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
