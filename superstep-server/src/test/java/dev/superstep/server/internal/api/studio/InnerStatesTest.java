package dev.superstep.server.internal.api.studio;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Access;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// States of graphs inside of tasks, as the studio finds them by what events say.
@Tag("SV13")
final class InnerStatesTest {
  private static final Channel<List<String>, String> NOTES = Channel.append("notes", String.class);
  private static final Channel<String, String> ITEM = Channel.latest("item", String.class);
  private static final Channel<String, String> FOUND = Channel.latest("found", String.class);
  private static final Target<String> LOOK = Target.of("look", String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final Routes routes = new Routes();

  private static Graph inside() {
    return Graph.named("inside")
        .channels(ITEM, FOUND)
        .node("find", (state, _) -> Update.of(FOUND, "about " + state.get(ITEM)))
        .node("check", (state, _) -> Update.of(FOUND, state.get(FOUND) + ", checked"))
        .sequence(START, "find", "check", END)
        .compile();
  }

  private static Graph search() {
    Subgraph<String> part =
        Subgraph.of(
            inside(), item -> Input.of(ITEM, item), end -> Update.of(NOTES, end.get(FOUND)));
    return Graph.named("search")
        .channels(NOTES)
        .node("plan", (_, _) -> Update.of(NOTES, "planned"))
        .node(LOOK, part)
        .edge(START, "plan")
        .fanOut("plan", _ -> Send.each(LOOK, List.of("tea", "milk")), LOOK)
        .edge("look", END)
        .compile();
  }

  private static Graph remembering() {
    Subgraph<State> part =
        Subgraph.of(inside(), _ -> Input.of(ITEM, "tea"), end -> Update.of(NOTES, end.get(FOUND)));
    return Graph.named("remembering")
        .channels(NOTES)
        .node("look", part.remembering())
        .sequence(START, "look", END)
        .compile();
  }

  private List<JsonNode> run(Graph graph) throws Exception {
    var graphs = new StudioGraphs(List.of(ServedGraph.of(graph)), List.of());
    new ThreadResource(graphs, store, new Open()).addTo(routes);
    new JournalResource(store, new Open()).addTo(routes);
    var _ =
        graph.invoke(
            Input.none(), RunOptions.thread("t").checkpoints(store).journal(Redaction.none()));
    var all = new ArrayList<JsonNode>();
    for (var entry : Asked.json(Asked.get(routes, "/superstep/threads/t/events")).get("events")) {
      all.add(entry.get("event"));
    }
    return all;
  }

  private static String task(List<JsonNode> events, String path) {
    return events.stream()
        .filter(each -> each.get("type").asString().equals("subgraph.started"))
        .filter(each -> each.get("origin").get("path").get(0).asString().equals(path))
        .findFirst()
        .orElseThrow()
        .get("task")
        .asString();
  }

  private static List<String> checkpoints(List<JsonNode> events, String path) {
    return events.stream()
        .filter(each -> each.get("type").asString().equals("step.finished"))
        .filter(each -> each.get("origin").get("path").size() == 1)
        .filter(each -> each.get("origin").get("path").get(0).asString().equals(path))
        .map(each -> each.get("checkpoint").asString())
        .toList();
  }

  private JsonNode state(String task, String checkpoint) throws Exception {
    return Asked.json(
        Asked.get(routes, "/superstep/threads/t/state", "task", task, "checkpoint", checkpoint));
  }

  @Test
  void each_superstep_inside_a_task_has_its_state() throws Exception {
    var events = run(search());
    for (var path : List.of("look#0", "look#1")) {
      var item = path.equals("look#0") ? "tea" : "milk";
      var steps = checkpoints(events, path);
      assertThat(steps).hasSize(2);
      var found = state(task(events, path), steps.getFirst());
      assertThat(found.get("values").get("found").asString()).isEqualTo("about " + item);
      assertThat(found.get("checkpoint").get("graph").asString()).isEqualTo("inside");
      var checked = state(task(events, path), steps.getLast());
      assertThat(checked.get("values").get("found").asString())
          .isEqualTo("about " + item + ", checked");
      assertThat(checked.get("checkpoint").get("parent").asString()).isEqualTo(steps.getFirst());
    }
  }

  @Test
  void a_graph_that_remembers_is_found_too() throws Exception {
    var events = run(remembering());
    var path = "look";
    var found = state(task(events, path), checkpoints(events, path).getLast());
    assertThat(found.get("values").get("found").asString()).isEqualTo("about tea, checked");
  }

  @Test
  void a_checkpoint_of_another_task_is_not_found_and_a_strange_task_is_refused() throws Exception {
    var events = run(search());
    var other = checkpoints(events, "look#1").getFirst();
    assertThatThrownBy(() -> state(task(events, "look#0"), other))
        .isInstanceOfSatisfying(
            HttpFailure.class, failure -> assertThat(failure.status()).isEqualTo(404));
    assertThatThrownBy(() -> state("a\nb", other))
        .isInstanceOfSatisfying(
            HttpFailure.class, failure -> assertThat(failure.status()).isEqualTo(422));
    assertThatThrownBy(() -> Asked.get(routes, "/superstep/threads/t/state", "task", "x"))
        .hasMessageContaining("checkpoint");
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
