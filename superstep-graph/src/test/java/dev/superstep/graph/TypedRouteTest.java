package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.error.RouterFailed;
import dev.superstep.node.Node;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T71")
class TypedRouteTest {
  enum Verdict {
    GOOD,
    POOR,
    SPAM
  }

  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<Verdict, Verdict> VERDICT = Channel.latest("verdict", Verdict.class);
  static final Node TRACE = (_, context) -> Update.of(PATH, context.node());

  static GraphBuilder graph() {
    var graph = Graph.named("typed").channels(PATH, VERDICT).edge(START, "judge");
    for (var node : List.of("judge", "send", "mend")) graph.node(node, TRACE);
    return graph.edge("send", END).edge("mend", END);
  }

  static Graph routed(Map<Verdict, String> targets) {
    return graph().route("judge", Verdict.class, state -> state.get(VERDICT), targets).compile();
  }

  static final Map<Verdict, String> TARGETS =
      Map.of(Verdict.GOOD, "send", Verdict.POOR, "mend", Verdict.SPAM, END);

  @Test
  void a_router_chooses_by_a_constant() throws Exception {
    var graph = routed(TARGETS);
    for (var verdict : Verdict.values()) {
      var expected =
          switch (verdict) {
            case GOOD -> List.of("judge", "send");
            case POOR -> List.of("judge", "mend");
            case SPAM -> List.of("judge");
          };
      assertThat(completed(graph.invoke(Input.of(VERDICT, verdict))).get(PATH)).isEqualTo(expected);
    }
  }

  @Test
  void a_router_may_choose_several_constants() throws Exception {
    var graph =
        graph()
            .routeMany("judge", Verdict.class, _ -> List.of(Verdict.POOR, Verdict.GOOD), TARGETS)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH))
        .containsExactly("judge", "send", "mend");
  }

  @Test
  void two_labels_may_lead_to_one_target() throws Exception {
    var graph = routed(Map.of(Verdict.GOOD, "send", Verdict.POOR, "mend", Verdict.SPAM, "mend"));
    assertThat(completed(graph.invoke(Input.of(VERDICT, Verdict.SPAM))).get(PATH))
        .containsExactly("judge", "mend");
    assertThat(graph.topology().mermaid())
        .contains("n0 -.->|\"GOOD\"| n1", "n0 -.->|\"POOR\"| n2", "n0 -.->|\"SPAM\"| n2");
  }

  @Test
  void labels_are_part_of_the_shape() {
    var topology = routed(TARGETS).topology();
    assertThat(topology.edges())
        .extracting(Topology.EdgeShape::label)
        .containsExactly("", "", "", "GOOD", "POOR", "SPAM");
    assertThat(Topology.parse(topology.json())).isEqualTo(topology);
  }

  @Test
  void a_constant_without_a_target_is_named() {
    var error =
        thrown(
            InvalidGraph.class, () -> routed(Map.of(Verdict.GOOD, "send", Verdict.POOR, "mend")));
    assertThat(error.problems()).extracting(Problem::code).containsExactly("label-without-target");
    assertThat(error).hasMessageContaining("`judge`").hasMessageContaining("Verdict.SPAM");
  }

  @Test
  void an_unknown_target_of_a_label_is_a_problem_of_the_graph() {
    var error =
        thrown(
            InvalidGraph.class,
            () -> routed(Map.of(Verdict.GOOD, "sent", Verdict.POOR, "mend", Verdict.SPAM, "send")));
    assertThat(error.problems()).extracting(Problem::code).containsExactly("unknown-node");
    assertThat(error).hasMessageContaining("Did you mean `send`?");
  }

  @Test
  void a_router_that_gives_null_is_named() {
    var graph = graph().routeMany("judge", Verdict.class, _ -> null, TARGETS).compile();
    assertThat(thrown(RouterFailed.class, () -> graph.invoke(Input.none())).from())
        .isEqualTo("judge");
  }
}
