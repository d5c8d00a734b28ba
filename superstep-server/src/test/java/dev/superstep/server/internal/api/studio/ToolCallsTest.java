package dev.superstep.server.internal.api.studio;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Access;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Calls of tools, as the studio finds them by what events say.
@Tag("SV13")
final class ToolCallsTest {
  private static final Channel<String, String> SAID = Channel.latest("said", String.class);
  private static final String LONG = "<b>found</b>" + "x".repeat(300_000);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final Routes routes = new Routes();

  record Wanted(String thing) {}

  private static Agent<String> agent() {
    var find = Tool.of("find", "Finds.", Wanted.class, (wanted, _) -> wanted.thing() + LONG);
    var lose =
        Tool.of(
            "lose",
            "Fails.",
            Wanted.class,
            (_, _) -> {
              throw new IllegalStateException("it is lost");
            });
    return Agent.named("finder")
        .model(
            ScriptedModel.by(request ->
                request.messages().getLast() instanceof ToolMessage
                    ? ScriptedModel.text("done")
                    : ScriptedModel.calls(
                        new ToolCall("c1", "find", "{\"thing\":\"tea\"}"),
                        new ToolCall("c2", "lose", "{\"thing\":\"milk\"}"),
                        new ToolCall("c4", "find", "{\"thing\":\"" + LONG + "\"}"))))
        .tools(find, lose)
        .build();
  }

  private List<JsonNode> run(Graph graph, Input input) throws Exception {
    new ThreadResource(
            new StudioGraphs(List.of(ServedGraph.of(graph)), List.of()), store, new Open())
        .addTo(routes);
    new JournalResource(store, new Open()).addTo(routes);
    var options = RunOptions.thread("t").checkpoints(store).journal(Redaction.none());
    var _ = graph.invoke(input, options);
    return Asked.json(Asked.get(routes, "/superstep/threads/t/events"))
        .get("events")
        .valueStream()
        .map(entry -> entry.get("event"))
        .toList();
  }

  private JsonNode call(String id, String... query) throws Exception {
    return Asked.json(Asked.get(routes, "/superstep/threads/t/calls/" + id, query));
  }

  @Test
  void a_call_of_an_agent_has_its_arguments_and_its_result_up_to_a_length() throws Exception {
    var agent = agent();
    var _ =
        run(
            agent.graph(),
            agent.input(List.of(dev.superstep.message.Message.user("Find the tea."))));

    var found = call("c1");
    assertThat(found.get("tool").asString()).isEqualTo("find");
    assertThat(found.get("arguments").asString()).isEqualTo("{\"thing\":\"tea\"}");
    assertThat(found.get("result").asString()).startsWith("tea<b>found</b>");
    assertThat(found.get("failed").asBoolean()).isFalse();
    var lost = call("c2");
    assertThat(lost.get("failed").asBoolean()).isTrue();
    assertThat(lost.get("arguments").asString()).contains("milk");
    var wide = call("c4");
    assertThat(wide.get("arguments").asString()).hasSize(200_000);
    assertThat(wide.get("arguments_length").asInt()).isEqualTo(LONG.length() + 12);
    assertThatThrownBy(() -> call("c3"))
        .isInstanceOfSatisfying(
            HttpFailure.class, failure -> assertThat(failure.status()).isEqualTo(404));
  }

  @Test
  void a_call_of_an_agent_inside_of_a_graph_is_found_by_its_task_and_its_superstep()
      throws Exception {
    var graph =
        Graph.named("desk")
            .channels(SAID)
            .node("ask", agent().asking(_ -> "Find the tea.", said -> Update.of(SAID, said)))
            .sequence(START, "ask", END)
            .compile();
    var events = run(graph, Input.none());
    var task = text(events, "subgraph.started", "task");
    var begun = events.stream().filter(each -> isStarted(each, "c1")).findFirst().orElseThrow();
    assertThat(begun.get("origin").get("path").get(0).asString()).isEqualTo("ask");
    int step = begun.get("origin").get("step").asInt();
    var checkpoint =
        events.stream()
            .filter(each -> each.get("type").asString().equals("step.finished"))
            .filter(each -> each.get("origin").get("path").size() == 1)
            .filter(each -> each.get("origin").get("step").asInt() == step)
            .map(each -> each.get("checkpoint").asString())
            .findFirst()
            .orElseThrow();

    assertThat(call("c1", "task", task, "checkpoint", checkpoint).get("result").asString())
        .startsWith("tea");
    // One whose superstep is not saved yet is looked for in the newest state.
    assertThat(call("c1", "task", task).get("arguments").asString()).contains("tea");
    assertThatThrownBy(() -> call("c1")).hasMessageContaining("No conversation");
  }

  private static boolean isStarted(JsonNode event, String call) {
    return event.path("name").asString("").equals("tool.started")
        && event.path("payload").path("call").asString("").equals(call);
  }

  private static String text(List<JsonNode> events, String type, String field) {
    return events.stream()
        .filter(each -> each.get("type").asString().equals(type))
        .map(each -> each.get(field).asString())
        .findFirst()
        .orElseThrow();
  }

  /// Everybody may see everything.
  private record Open() implements StudioThreads {
    @Override
    public void admit(Call call, Access.Action action, String thread) {}

    @Override
    public void forked(Call call, String from, String as) {}

    @Override
    public void changed(String thread) {}
  }
}
