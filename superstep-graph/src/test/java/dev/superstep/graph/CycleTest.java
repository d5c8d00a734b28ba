package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.node.Failure;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Target;
import dev.superstep.run.CyclePolicy;
import dev.superstep.run.Problem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("X4")
@Tag("G10")
class CycleTest {
  static final Node NOTHING = (_, _) -> NodeResult.nothing();

  static GraphBuilder graph(String... nodes) {
    var builder = Graph.named("cycles");
    for (var node : nodes) builder.node(node, NOTHING);
    return builder;
  }

  /// `a -> b -> a` with a way out.
  static GraphBuilder guarded(CyclePolicy policy) {
    return graph("a", "b").sequence(START, "a", "b").route("b", _ -> END, "a", END).cycles(policy);
  }

  @Test
  void cycles_are_allowed_unless_the_graph_says_otherwise() {
    assertThat(guarded(CyclePolicy.ALLOW).compile().warnings()).isEmpty();
    assertThat(guarded(CyclePolicy.WARN).compile().warnings())
        .containsExactly(new Problem("cycle", "there is a cycle: a -> b -> a"));
    var error = thrown(InvalidGraph.class, () -> guarded(CyclePolicy.FORBID).compile());
    assertThat(error.problems())
        .containsExactly(new Problem("cycle", "the graph forbids cycles, but has a -> b -> a"));
  }

  @Test
  void every_group_of_nodes_in_a_cycle_is_reported_once() {
    var builder =
        graph("a", "b", "c", "d", "e")
            .sequence(START, "a", "b", "c", "d", "e", END)
            .route("b", _ -> "c", "a", "c")
            .route("c", _ -> "d", "a", "b")
            .route("e", _ -> END, "e", END)
            .cycles(CyclePolicy.WARN);
    assertThat(builder.report().warnings())
        .extracting(Problem::message)
        .containsExactlyInAnyOrder(
            "there is a cycle: a -> b -> c -> a", "there is a cycle: e -> e");
  }

  @Test
  void edges_of_every_kind_make_a_cycle() {
    var item = Target.of("item", String.class);
    var failed = Target.of("failed", Failure.class);
    List<GraphBuilder> graphs =
        List.of(
            graph("a", "b").sequence(START, "a", "b", END).additiveDestinations("b", "a"),
            graph("a", "b").sequence(START, "a", "b").destinations("b", "a", END),
            graph("a", "b", "c")
                .sequence(START, "a", END)
                .edge("a", "b")
                .route("a", _ -> END, "c", END)
                .join(List.of("b", "c"), "a"),
            graph("a")
                .node(item, (_, _, _) -> NodeResult.nothing())
                .sequence(START, "a", END)
                .fanOut("a", _ -> List.of(), item)
                .edge("item", "a"),
            Graph.named("cycles")
                .node("a", NOTHING, NodePolicy.defaults().onFailure(OnFailure.route(failed)))
                .node(failed, (_, _, _) -> NodeResult.nothing())
                .sequence(START, "a", END)
                .edge("failed", "a"));
    for (var graph : graphs) {
      var report = graph.cycles(CyclePolicy.FORBID).report();
      assertThat(report.isValid()).isFalse();
      assertThat(report.errors()).extracting(Problem::code).containsExactly("cycle");
    }
  }

  @Test
  void a_cycle_that_cannot_be_left_is_always_an_error_with_its_path() {
    for (var policy : CyclePolicy.values()) {
      var builder =
          graph("a", "b", "c").sequence(START, "a", "b", "c", "a").edge("c", END).cycles(policy);
      var error = thrown(InvalidGraph.class, builder::compile);
      assertThat(error.problems()).extracting(Problem::code).containsExactly("endless-cycle");
      assertThat(error).hasMessageContaining("a -> b -> c -> a");
    }
  }

  @Test
  void a_cycle_that_a_handled_failure_leaves_can_be_left() {
    var failed = Target.of("failed", Failure.class);
    var graph =
        Graph.named("cycles")
            .node("poll", NOTHING, NodePolicy.defaults().onFailure(OnFailure.route(failed)))
            .node(failed, (_, _, _) -> NodeResult.nothing())
            .sequence(START, "poll", "poll")
            .edge("failed", END)
            .edge("poll", END);
    assertThat(graph.report().isValid()).isTrue();
  }

  @Test
  void a_cycle_closed_by_a_join_cannot_be_left_either() {
    var back = graph("a", "b", "c").sequence(START, "a", END).edge("a", "b").edge("a", "c");
    assertEndless(back.join(List.of("b", "c"), "a"), "b -> a -> b");
    // Two nodes that only together bring the join about.
    assertEndless(
        graph("a", "b", "c", "d")
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", "c")
            .edge("b", "d")
            .edge("a", END)
            .join(List.of("c", "d"), "a")
            .join(List.of("c", "d"), "b"),
        "c -> a -> c");
    assertEndless(
        graph("a", "b", "c")
            .sequence(START, "a", END)
            .edge("a", "b")
            .route("a", _ -> END, "c", END)
            .join(JoinPolicy.any(), List.of("b", "c"), "a"),
        "b -> a -> b");
  }

  private static void assertEndless(GraphBuilder builder, String cycle) {
    assertThat(builder.report().errors())
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.code()).isEqualTo("endless-cycle");
          assertThat(problem.message()).contains(cycle);
        });
  }

  @Test
  void a_cycle_with_a_join_that_may_starve_or_whose_sources_finish_once_can_be_left() {
    var failed = Target.of("failed", Failure.class);
    List<GraphBuilder> graphs =
        List.of(
            graph("a", "b", "c")
                .sequence(START, "a", END)
                .edge("a", "b")
                .route("a", _ -> END, "c", END)
                .join(List.of("b", "c"), "a"),
            // One of the sources comes once.
            graph("once", "a", "b")
                .sequence(START, "once", "a", "b", END)
                .join(List.of("once", "b"), "a"),
            Graph.named("cycles")
                .node("a", NOTHING)
                .node("b", NOTHING, NodePolicy.defaults().onFailure(OnFailure.route(failed)))
                .node("c", NOTHING)
                .node(failed, (_, _, _) -> NodeResult.nothing())
                .sequence(START, "a", END)
                .edge("a", "b")
                .edge("a", "c")
                .edge("failed", END)
                .join(List.of("b", "c"), "a"));
    for (var graph : graphs) assertThat(graph.report().errors()).isEmpty();
  }

  @Test
  void a_long_cycle_is_shown_in_part() {
    var names = new String[101];
    for (int i = 0; i < 100; i++) names[i] = "n" + i;
    names[100] = "n0";
    var builder = graph();
    for (int i = 0; i < 100; i++) builder.node(names[i], NOTHING);
    builder.sequence(START, "n0").sequence(names).edge("n99", END);
    assertThat(builder.report().errors())
        .extracting(Problem::message)
        .singleElement()
        .asString()
        .contains("n0 -> n1 ->", "n11 -> (88 more) -> n0");
  }

  @Test
  void a_chain_of_ten_thousand_nodes_with_routers_and_joins_is_checked_quickly() {
    int many = 10_000;
    var builder = graph().cycles(CyclePolicy.FORBID);
    builder.defaults(NodePolicy.defaults().onFailure(OnFailure.skip()));
    for (int i = 0; i < many; i++) builder.node("n" + i, NOTHING);
    builder.edge(START, "n0").edge("n" + (many - 1), END);
    for (int i = 0; i + 1 < many; i++) builder.edge("n" + i, "n" + (i + 1));
    for (int i = 0; i + 10 < many; i += 100) {
      builder.route("n" + i, _ -> END, "n" + (i + 5), "n" + (i + 6));
      builder.join(List.of("n" + (i + 7), "n" + (i + 8)), "n" + (i + 10));
    }
    var began = System.nanoTime();
    var graph = builder.compile();
    var took = Duration.ofNanos(System.nanoTime() - began);
    assertThat(graph.topology().nodes()).hasSize(many);
    // Far below a second on a machine at rest; what is quadratic here takes a minute.
    assertThat(took).isLessThan(Duration.ofSeconds(20));
  }
}
