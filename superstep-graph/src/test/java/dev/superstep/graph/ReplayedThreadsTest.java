package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Prune;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Divergence;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.ReplayResult;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Replays of threads that were steered, edited, rewound or thinned out.
@Tag("G20")
final class ReplayedThreadsTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);

  private static Graph choosing(String otherwise) {
    return Graph.named("choosing")
        .channels(SAID)
        .node("a", (_, context) -> Update.of(SAID, context.metadata().toString()))
        .node("b", (_, _) -> Update.of(SAID, "b"))
        .node("c", (_, context) -> Update.of(SAID, "c" + context.remainingSteps()))
        .edge(START, "a")
        .route("a", _ -> otherwise, "b", "c")
        .edge("b", END)
        .edge("c", END)
        .compile();
  }

  private ReplayResult replayed(Graph graph) throws InterruptedException {
    return Replay.of(graph, store).thread("t").run();
  }

  private List<String> checkpoints() {
    var all = Threads.in(store).history("t", Optional.empty(), 100);
    return all.reversed().stream().map(Checkpoint::id).toList();
  }

  @Test
  @Tag("X16")
  void choices_of_a_matrix_are_repeated() throws Exception {
    var graph = choosing("b");
    completed(graph.invoke(Input.none(), options.matrix(NotingHook.choosing("c"))));
    assertThat(graph.state(options).orElseThrow().state().get(SAID).getLast()).startsWith("c");
    assertThat(replayed(graph).text()).isEqualTo("2 supersteps agree.\n");
  }

  @Test
  @Tag("E2")
  void a_node_sees_the_metadata_and_the_limit_of_its_run() throws Exception {
    var graph = choosing("c");
    completed(graph.invoke(Input.none(), options.metadata("case", "7").stepLimit(9)));
    assertThat(Replay.of(graph, store).thread("t").stepLimit(9).run().isEqual()).isTrue();
    assertThat(replayed(graph).divergence().orElseThrow().step()).isEqualTo(2);
  }

  @Test
  void state_updates_rewinds_and_new_input_are_replayed_as_recorded() throws Exception {
    var graph = choosing("b");
    completed(graph.invoke(Input.none(), options));
    graph.update(options, StateUpdate.as("a", Update.of(SAID, "edited")));
    completed(graph.resume(Answers.none(), options));
    Threads.in(store).rewind("t", checkpoints().getFirst());
    completed(graph.resume(Answers.none(), options));
    completed(graph.invoke(Input.of(SAID, "more"), options));
    assertThat(replayed(graph).text()).isEqualTo("7 supersteps agree.\n");
  }

  @Test
  void missing_records_are_reported() throws Exception {
    var graph = choosing("b");
    completed(graph.invoke(Input.none(), options.durability(Durability.EXIT)));
    completed(graph.invoke(Input.none(), options.durability(Durability.EXIT)));
    assertThat(replayed(graph).uncompared())
        .containsExactly(
            "superstep 2: the checkpoints before it were not kept",
            "superstep 5: the checkpoints before it were not kept");
    assertThat(replayed(graph).supersteps()).isZero();
  }

  @Test
  void the_rest_of_a_pruned_thread_is_replayed() throws Exception {
    var graph = choosing("b");
    completed(graph.invoke(Input.none(), options));
    Threads.in(store).prune("t", Prune.keepLast(2));
    var replayed = replayed(graph);
    assertThat(replayed.supersteps()).isEqualTo(1);
    assertThat(replayed.uncompared())
        .containsExactly("superstep 1: the checkpoints before it were not kept");
  }

  @Test
  void another_shape_of_the_graph_is_a_difference() throws Exception {
    completed(choosing("b").invoke(Input.none(), options));
    var other =
        Graph.named("choosing")
            .channels(SAID)
            .node("a", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge("a", END)
            .compile();
    assertThat(replayed(other).divergence().orElseThrow().what()).isEqualTo(Divergence.What.SHAPE);
  }

  @Test
  void a_graph_inside_that_hands_off_is_run_again_to_its_end() throws Exception {
    assertThat(handedOff("from inside").text()).isEqualTo("3 supersteps agree.\n");
    var found = Replay.of(handing("other"), store).thread("t").run().divergence().orElseThrow();
    assertThat(found.what()).isEqualTo(Divergence.What.END);
    assertThat(found.path()).containsExactly("in");
    assertThat(found.now()).contains("other");
  }

  private ReplayResult handedOff(String said) throws InterruptedException {
    completed(handing(said).invoke(Input.none(), options));
    return replayed(handing(said));
  }

  private static Graph handing(String said) {
    var inner =
        Graph.named("inner")
            .channels(SAID)
            .node("first", (_, _) -> Update.of(SAID, "first"))
            .node("leave", (_, _) -> Command.toParent("boss").with(Update.of(SAID, said)))
            .edge(START, "first")
            .edge("first", "leave")
            .edge("leave", END)
            .compile();
    return Graph.named("outer")
        .channels(SAID)
        .node("in", Subgraph.shared(inner))
        .node("boss", (_, _) -> Update.of(SAID, "boss"))
        .edge(START, "in")
        .handOffs("in", "boss")
        .edge("in", END)
        .edge("boss", END)
        .compile();
  }
}
