package dev.superstep.matrix;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Signal;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Converge;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.MatrixHook;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Choices of a hook, read from what a run saved or told, and made again by another run.
@Tag("M5")
class RecordedChoicesTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  static final Node TRACE = (_, in) -> Update.of(PATH, in.node());

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final List<Event> events = new ArrayList<>();

  /// Chooses by a function, and learns nothing.
  record Choosing(Function<Junction, Optional<List<String>>> choice) implements MatrixHook {
    @Override
    public void onConverge(String node, Signal signal) {}

    @Override
    public void recordTransition(String from, String to, double quality) {}

    @Override
    public Optional<List<String>> route(Junction junction) {
      return choice.apply(junction);
    }

    @Override
    public double cValue() {
      return 0.25;
    }

    @Override
    public double completion() {
      return 0.5;
    }

    @Override
    public boolean isConverged() {
      return false;
    }
  }

  static Converge converge(NodeContext context, double quality) {
    return new Converge(Update.of(PATH, context.node()), new Signal(0.5, 0, quality));
  }

  /// Goes round `pick` three times; the router always chooses `left`.
  static Graph rounds() {
    return Graph.named("rounds")
        .channels(PATH)
        .node("pick", TRACE)
        .node("left", (_, in) -> converge(in, 0.5))
        .node("right", (_, in) -> converge(in, 0.9))
        .node("after", TRACE)
        .edge(START, "pick")
        .route("pick", _ -> "left", "left", "right")
        .edge("left", "after")
        .edge("right", "after")
        .route("after", state -> state.get(PATH).size() < 9 ? "pick" : END, "pick", END)
        .compile();
  }

  static List<String> path(Graph graph, RunOptions options) throws InterruptedException {
    return ((Outcome.Completed) graph.invoke(Input.none(), options)).state().get(PATH);
  }

  private List<String> recorded(Graph graph, Choosing hook) throws InterruptedException {
    var options = RunOptions.thread("t").checkpoints(store).listener(events::add);
    return path(graph, options.matrix(hook));
  }

  private List<Checkpoint> history(String thread) {
    return store.page(Lineage.of(thread), Optional.empty(), 100);
  }

  @Test
  void choices_are_repeated_from_checkpoints_or_events_alone() throws Exception {
    var secondTime =
        new Choosing(junction ->
            junction.from().equals("pick") && junction.step() == 4
                ? Optional.of(List.of("right"))
                : Optional.empty());
    var path = recorded(rounds(), secondTime);
    var again = RunOptions.thread("again").checkpoints(store);
    var fromCheckpoints = RecordedChoices.of(history("t"));
    assertThat(path(rounds(), again.matrix(fromCheckpoints))).isEqualTo(path).contains("right");
    assertThat(history("again").stream().map(c -> c.progress().chosen()).toList())
        .isEqualTo(history("t").stream().map(c -> c.progress().chosen()).toList());
    var fromEvents = RecordedChoices.ofEvents(events);
    assertThat(path(rounds(), RunOptions.defaults().matrix(fromEvents))).isEqualTo(path);
    assertThat(fromCheckpoints.completion()).isEqualTo(fromEvents.completion()).isGreaterThan(0.5);
    assertThat(path(rounds(), RunOptions.defaults())).doesNotContain("right");
  }

  @Test
  void a_choice_after_start_is_made_again_from_the_events() throws Exception {
    var graph =
        Graph.named("start")
            .channels(PATH)
            .node("b", TRACE)
            .node("c", TRACE)
            .route(START, _ -> "b", "b", "c")
            .edge("b", END)
            .edge("c", END)
            .compile();
    recorded(graph, new Choosing(_ -> Optional.of(List.of("c"))));
    assertThat(path(graph, RunOptions.defaults().matrix(RecordedChoices.ofEvents(events))))
        .containsExactly("c");
  }

  @Test
  void the_choice_at_one_of_two_routers_of_a_node_is_made_again_from_the_checkpoints()
      throws Exception {
    var hook =
        new Choosing(junction ->
            junction.router().equals("item#2") ? Optional.of(List.of("e")) : Optional.empty());
    var graph =
        Graph.named("twice")
            .channels(PATH)
            .node(ITEM, (_, _, in) -> Update.of(PATH, in.node()))
            .node("b", TRACE)
            .node("c", TRACE)
            .node("d", TRACE)
            .node("e", TRACE)
            .fanOut(START, _ -> List.of(Send.to(ITEM, 1), Send.to(ITEM, 2)), ITEM)
            .route("item", _ -> "b", "b", "c")
            .route("item", _ -> "d", "d", "e")
            .edge("b", END)
            .edge("c", END)
            .edge("d", END)
            .edge("e", END)
            .compile();
    recorded(graph, hook);
    var again = RunOptions.defaults().matrix(RecordedChoices.of(history("t")));
    assertThat(path(graph, again)).containsExactly("item", "item", "b", "e");
  }
}
