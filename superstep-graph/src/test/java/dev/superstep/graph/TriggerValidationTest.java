package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Target;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.topology.Topology;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Checks of triggers when a graph is compiled, and their form in its topology.
@Tag("X2")
@Tag("A7")
class TriggerValidationTest {
  private static List<String> problems(GraphBuilder builder) {
    return thrown(InvalidGraph.class, builder::compile).problems().stream()
        .map(Problem::code)
        .toList();
  }

  @Test
  void triggers_that_cannot_work_are_problems() {
    var stranger = Channel.token("stranger", String.class);
    var target = Target.of("sent", String.class);
    Node nothing = (_, _) -> NodeResult.nothing();
    var builder =
        TriggerTest.named("wrong")
            .node("n", nothing)
            .node("m", nothing)
            .node("o", nothing)
            .node(target, (_, _, _) -> NodeResult.nothing())
            .edge(START, "n")
            .edge("n", END)
            .trigger("m", TriggerTest.A)
            .trigger("o", TriggerTest.A)
            .trigger("n")
            .trigger("n", TriggerTest.LOG)
            .trigger("n", stranger)
            .trigger("n", TriggerTest.B, TriggerTest.B)
            .trigger("o", TriggerTest.C)
            .trigger("o", TriggerTest.C, TriggerTest.RESULT)
            .trigger("o", TriggerTest.RESULT, TriggerTest.C)
            .trigger("sent", TriggerTest.A)
            .trigger("nobody", TriggerTest.A)
            .trigger(END, TriggerTest.A);
    assertThat(problems(builder))
        .contains(
            "token-with-two-readers",
            "no-tokens",
            "not-a-token",
            "undeclared-channel",
            "duplicate-token",
            "covered-trigger",
            "duplicate-trigger",
            "needs-argument",
            "unknown-node",
            "trigger-to-end");
  }

  @Test
  void with_triggers_a_node_without_edges_may_end_the_run_but_a_closed_loop_may_not() {
    Node nothing = (_, _) -> NodeResult.nothing();
    var open =
        TriggerTest.named("open")
            .node("n", nothing)
            .node("m", nothing)
            .trigger("n", TriggerTest.A)
            .edge("n", "m");
    open.compile();
    var loop =
        TriggerTest.named("loop")
            .node("n", nothing)
            .node("m", nothing)
            .edge("n", "m")
            .edge("m", "n");
    assertThat(problems(loop.trigger("n", TriggerTest.A)))
        .containsExactly("no-exit", "no-exit", "endless-cycle");
    var alone =
        TriggerTest.named("alone")
            .node("n", nothing)
            .node("m", nothing)
            .trigger("n", TriggerTest.A);
    assertThat(problems(alone)).containsExactly("unreachable");
    var handled =
        TriggerTest.named("handled")
            .node(
                "n",
                nothing,
                NodePolicy.defaults().onFailure(OnFailure.route(Target.of("h", Failure.class))))
            .node(Target.of("h", Failure.class), (_, _, _) -> NodeResult.nothing());
    handled.trigger("n", TriggerTest.A).compile();
  }

  @Test
  void the_topology_shows_triggers_as_data() {
    var topology =
        TriggerTest.named("drawn")
            .node("x", TriggerTest.LOOK)
            .node("y", TriggerTest.LOOK)
            .trigger("x", TriggerTest.A, TriggerTest.B)
            .trigger("y", TriggerTest.C)
            .compile()
            .topology();
    assertThat(topology.edges().getFirst())
        .isEqualTo(
            new Topology.EdgeShape(Topology.EdgeKind.TRIGGERED, List.of("a", "b"), "x", "", 0));
    assertThat(Topology.parse(topology.json())).isEqualTo(topology);
    assertThat(topology.mermaid())
        .contains("data0[/\"a\"/]")
        .contains("data0 --> join0")
        .contains("join0 --> n0")
        .contains("data2 --> n1");
  }
}
