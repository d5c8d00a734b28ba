package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.UnknownTarget;
import dev.superstep.node.Node;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T84")
@Tag("E16")
class InputTargetsTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Target<String> ITEM = Target.of("item", String.class);
  static final Target<Integer> ITEM_OF_NUMBERS = Target.of("item", Integer.class);
  static final Node TRACE =
      (_, in) -> Update.of(PATH, in.node() + " " + in.activation().getClass().getSimpleName());

  static Graph graph() {
    return Graph.named("seeds")
        .channels(PATH)
        .node("a", TRACE)
        .node("b", TRACE)
        .node("c", TRACE)
        .node(ITEM, (text, _, in) -> Update.of(PATH, text + " " + in.activation()))
        .sequence(START, "a", "b", "c", END)
        .fanOut("a", _ -> List.of(), ITEM)
        .edge("item", END)
        .compile();
  }

  static List<String> path(Input input) throws InterruptedException {
    return completed(graph().invoke(input, kept())).get(PATH);
  }

  @Test
  void a_run_starts_at_the_nodes_that_the_input_names() throws Exception {
    assertThat(path(Input.of(PATH, "in").startingAt("c", "b")))
        .containsExactly("in", "b Entry", "c Entry", "c Edge");
    assertThat(path(Input.none().startingAt("b").startingAt("b")))
        .containsExactly("b Entry", "c Edge");
  }

  @Test
  void a_run_starts_with_the_arguments_that_the_input_sends() throws Exception {
    var input = Input.none().sending(ITEM, "y").sending(ITEM, "x").startingAt("c");
    assertThat(path(input.and(PATH, "in")))
        .containsExactly("in", "c Entry", "y Sent[from=__start__]", "x Sent[from=__start__]");
  }

  @Test
  void a_finished_thread_continues_at_the_nodes_named_by_new_input() throws Exception {
    var options = kept();
    completed(graph().invoke(Input.none(), options));
    assertThat(completed(graph().invoke(Input.none().startingAt("c"), options)).get(PATH))
        .containsExactly("a Entry", "b Edge", "c Edge", "c Entry");
  }

  @Test
  void an_unknown_node_is_refused_before_anything_is_saved() {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    for (var name : List.of(START, END, "zebra", "item", "aa")) {
      var input = Input.of(PATH, "in").startingAt(name);
      var error = thrown(UnknownTarget.class, () -> graph().invoke(input, options));
      assertThat(error.code()).isEqualTo("graph.unknown-target");
      assertThat(error.target()).isEqualTo(name);
      assertThat(error.from()).isEqualTo(START);
      assertThat(error)
          .hasMessageStartingWith("The input starts at ")
          .hasMessageNotContaining("__");
    }
    for (var input :
        List.of(
            Input.none().sending(ITEM_OF_NUMBERS, 1),
            Input.none().sending(Target.of("a", String.class), "x"),
            Input.none().sending(Target.of("zebra", String.class), "x"))) {
      thrown(UnknownTarget.class, () -> graph().invoke(input, options));
    }
    assertThat(store.latest(Lineage.of("t"))).isEmpty();
    assertThat(thrown(IllegalArgumentException.class, () -> Input.none().startingAt()))
        .hasMessageContaining("nodes");
  }

  @Test
  void a_subgraph_starts_where_its_input_says() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(PATH)
            .node(
                "inner",
                Subgraph.of(
                    graph(),
                    (State _) -> Input.none().startingAt("c"),
                    end -> Update.all(PATH, end.get(PATH))))
            .sequence(START, "inner", END)
            .compile();
    assertThat(completed(outer.invoke(Input.none())).get(PATH)).containsExactly("c Entry");
  }

  @Test
  @Tag("T71")
  void a_sequence_is_edges_and_needs_two_nodes() {
    var edges = graph().topology().edges();
    assertThat(edges.subList(0, 4)).extracting(e -> e.to()).containsExactly("a", "b", "c", END);
    var builder = Graph.named("g");
    assertThat(thrown(IllegalArgumentException.class, () -> builder.sequence("a")))
        .hasMessageContaining("at least 2, were 1");
  }
}
