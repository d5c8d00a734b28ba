package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.remote.RemoteFailed;
import dev.superstep.remote.RemoteGraph;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.server.AgentServer;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.InMemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Graphs of a server as nodes of graphs here.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("SV8")
class RemoteGraphTest {
  private static final Channel<Json, Json> VALUES = Channel.latest("values", Json.class);

  private final InMemoryCheckpointer there = new InMemoryCheckpointer();
  private final InMemoryServiceStore documents = InMemoryServiceStore.open();
  private final dev.superstep.store.Store memory = InMemoryStore.open();
  private final InMemoryCheckpointer here = new InMemoryCheckpointer();
  private AgentServer server;

  @BeforeEach
  void start() throws Exception {
    server = AgentServer.on(there, documents).memory(memory).serving(FixtureGraphs.all()).start(0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Graph calling(String graph, String input) {
    var remote = RemoteGraph.at(server.address(), graph);
    return Graph.named("caller")
        .channels(VALUES)
        .questions(RemoteGraph.QUESTION)
        .node("remote", remote.node(_ -> Json.parse(input), RemoteGraph.to(VALUES)))
        .edge(START, "remote")
        .edge("remote", END)
        .compile();
  }

  private RunOptions options(String thread) {
    return RunOptions.thread(thread).checkpoints(here);
  }

  private static String values(Outcome outcome) {
    return ((Outcome.Completed) outcome).state().get(VALUES).text();
  }

  @Test
  void a_graph_elsewhere_is_a_node_here() throws Exception {
    var graph = calling("gated", "{\"gate\":\"open\"}");
    assertThat(values(graph.invoke(Input.none(), options("t")))).contains("\"seen\":[\"open\"]");
  }

  @Test
  void its_questions_are_asked_here_and_its_run_goes_on() throws Exception {
    var input = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"interrupt\":true}";
    var graph = calling("agent", input);
    var asked = (Outcome.Interrupted) graph.invoke(Input.none(), options("t"));
    var question = asked.questions().getFirst();
    assertThat(question.payload()).isEqualTo(Json.string("i want to interrupt"));
    var answers = Answers.json(question.id(), Json.string("go on"));
    assertThat(values(graph.resume(answers, options("t")))).contains("\"end\"");
  }

  @Test
  void its_failure_is_the_failure_of_the_node() {
    var input = "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    assertThatThrownBy(() -> calling("error", input).invoke(Input.none(), options("t")))
        .isInstanceOf(NodeFailed.class)
        .hasRootCauseInstanceOf(RemoteFailed.class)
        .hasMessageContaining("CustomError: Boo!");
    assertThatThrownBy(() -> calling("nobody", "{}").invoke(Input.none(), options("u")))
        .hasMessageContaining("status 404: No assistant found");
  }

  @Test
  void a_cancelled_node_cancels_the_run_there_and_a_resumed_one_does_not_begin_a_second()
      throws Exception {
    var graph = calling("gated", "{\"gate\":\"closed\"}");
    var stream = graph.stream(Input.none(), options("t"));
    try (stream) {
      await("running");
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    await("interrupted");
    assertThatThrownBy(() -> graph.resume(Answers.none(), options("t")))
        .hasMessageContaining("interrupted");
    assertThat(runs("interrupted")).isEqualTo(1);
    assertThat(runs("running")).isZero();
  }

  /// Waits for a run in a status.
  private void await(String status) throws InterruptedException {
    try (var watch = documents.watch("runs")) {
      while (runs(status) == 0) {
        var _ = watch.await(Duration.ofMillis(50));
      }
    }
  }

  private long runs(String status) {
    var query =
        dev.superstep.service.DocumentQuery.of(dev.superstep.service.DocumentKind.RUN).in(status);
    return documents.read(in -> in.count(query));
  }

  @Test
  void a_graph_elsewhere_is_a_tool() throws Exception {
    record Arguments(String gate) {}
    var tool =
        RemoteGraph.at(server.address(), "gated")
            .tool("ask_gate", "Asks the gate.", Arguments.class, values -> values.text());
    var call = new ToolCall("c1", "ask_gate", "{\"gate\":\"open\"}");
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage told
                ? ScriptedModel.text("It said " + told.text())
                : ScriptedModel.calls(call));
    var agent = Agent.named("asker").model(model).tools(tool).build();
    assertThat(agent.run("Ask the gate.", options("t")).answer())
        .isEqualTo("It said {\"gate\":\"open\",\"seen\":[\"open\"]}");
  }
}
