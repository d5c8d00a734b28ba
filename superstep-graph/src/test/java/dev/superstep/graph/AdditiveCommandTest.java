package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Command;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X15")
class AdditiveCommandTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Target<String> ITEM = Target.of("item", String.class);
  static final Target<Failure> HANDLER = Target.of("handler", Failure.class);
  static final Node TRACE = (_, context) -> Update.of(PATH, context.node());

  static GraphBuilder graph(Node first) {
    var builder = Graph.named("additive").channels(PATH);
    builder.node("first", first).edge(START, "first").additiveDestinations("first", "more", "item");
    builder.node(ITEM, (text, _, _) -> Update.of(PATH, text)).edge("item", END);
    for (var node : List.of("more", "next")) builder.node(node, TRACE).edge(node, END);
    return builder.edge("first", "next");
  }

  static List<String> path(Graph graph, int concurrency) throws InterruptedException {
    var options = kept().concurrency(concurrency);
    return completed(graph.invoke(Input.none(), options)).get(PATH);
  }

  @Test
  void a_command_adds_to_the_edges() throws Exception {
    Node both = (_, _) -> Command.to("more").with(Update.of(PATH, "first")).andSend(ITEM, "x");
    for (int concurrency : new int[] {1, 64}) {
      assertThat(path(graph(both).compile(), concurrency))
          .containsExactly("first", "more", "next", "x");
    }
  }

  @Test
  void a_target_of_both_runs_once_and_for_the_edge() throws Exception {
    var graph =
        graph((_, _) -> Command.to("next"))
            .additiveDestinations("first", "next")
            .node("why", (_, in) -> Update.of(PATH, in.activation().toString()))
            .edge("first", "why")
            .edge("why", END)
            .compile();
    assertThat(path(graph, 64)).containsExactly("next", "Edge[from=first]");
  }

  @Test
  void an_update_alone_follows_the_edges() throws Exception {
    assertThat(path(graph(TRACE).compile(), 64)).containsExactly("first", "next");
  }

  @Test
  void a_command_to_end_takes_no_edge_away() throws Exception {
    var graph = graph((_, _) -> Command.to(END)).additiveDestinations("first", END).compile();
    assertThat(path(graph, 64)).containsExactly("next");
  }

  @Test
  void a_router_and_a_fan_out_of_the_node_are_asked_too() throws Exception {
    var graph =
        Graph.named("additive")
            .channels(PATH)
            .node("first", (_, _) -> Command.to("more").andSend(ITEM, "commanded"))
            .node(ITEM, (text, _, _) -> Update.of(PATH, text))
            .node("more", TRACE)
            .node("left", TRACE)
            .node("right", TRACE)
            .edge(START, "first")
            .route("first", _ -> "right", "left", "right")
            .fanOut("first", _ -> List.of(Send.to(ITEM, "fanned")), ITEM)
            .additiveDestinations("first", "more", "item")
            .edge("item", END)
            .edge("more", END)
            .edge("left", END)
            .edge("right", END)
            .compile();
    assertThat(path(graph, 64)).containsExactly("more", "right", "fanned", "commanded");
  }

  @Test
  void an_additive_command_may_lead_only_to_its_destinations() {
    var graph = graph((_, _) -> Command.to("other")).node("other", TRACE).edge("next", "other");
    var compiled = graph.edge("other", END).compile();
    assertThat(thrown(NodeFailed.class, () -> path(compiled, 1)))
        .hasMessageContaining("destinations [more, item]");
  }

  @Test
  void a_failure_that_is_routed_leads_to_the_handler_alone() throws Exception {
    Node broken =
        (_, _) -> {
          throw new IllegalStateException("broken");
        };
    var graph =
        Graph.named("additive")
            .channels(PATH)
            .node("first", broken, NodePolicy.defaults().onFailure(OnFailure.route(HANDLER)))
            .node(HANDLER, (failure, _, _) -> Update.of(PATH, "handled " + failure.node()))
            .node("next", TRACE)
            .edge(START, "first")
            .edge("first", "next")
            .additiveDestinations("first", END)
            .edge("handler", END)
            .edge("next", END)
            .compile();
    assertThat(path(graph, 64)).containsExactly("handled first");
  }

  @Test
  void definitions_that_contradict_themselves_are_refused() {
    var mixed =
        thrown(
            InvalidGraph.class,
            () ->
                graph(TRACE)
                    .node("x", TRACE)
                    .destinations("x", END)
                    .additiveDestinations("x", "more")
                    .edge(START, "x")
                    .compile());
    assertThat(mixed.problems()).extracting(Problem::code).containsExactly("mixed-routing");
    assertThat(mixed).hasMessageContaining("both kinds of destinations");
    var start =
        thrown(
            InvalidGraph.class, () -> graph(TRACE).additiveDestinations(START, "more").compile());
    assertThat(start.problems()).extracting(Problem::code).containsExactly("command-from-start");
    var unknown =
        thrown(
            InvalidGraph.class, () -> graph(TRACE).additiveDestinations("first", "mor").compile());
    assertThat(unknown.problems()).extracting(Problem::code).containsExactly("unknown-node");
  }

  @Test
  void the_kind_of_destination_is_part_of_the_shape_and_of_the_drawing() {
    var topology = graph(TRACE).compile().topology();
    assertThat(topology.mermaid()).contains("-. adds .->");
    assertThat(dev.superstep.topology.Topology.parse(topology.json())).isEqualTo(topology);
  }
}
