package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.Deadlock;
import dev.superstep.node.JoinPolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T104")
@Tag("A8")
@Tag("W42")
class WarningTest {
  static final Node NOTHING = (_, _) -> NodeResult.nothing();

  /// `judge` chooses `left` or `right`, and both lead on to `left2` and `right2`.
  static GraphBuilder choosing(UnaryOperator<GraphBuilder> router) {
    var graph = Graph.named("warned");
    for (var node : List.of("judge", "left", "left2", "right", "right2", "free", "meet")) {
      graph.node(node, NOTHING);
    }
    graph.edge(START, "judge").edge(START, "free").edge("free", END);
    graph.sequence("left", "left2", END).sequence("right", "right2", END).edge("meet", END);
    return router.apply(graph);
  }

  static GraphBuilder one() {
    return choosing(g -> g.route("judge", _ -> "left", "left", "right"));
  }

  static List<String> warnings(GraphBuilder graph) {
    return graph.compile().warnings().stream().map(Problem::code).toList();
  }

  @Test
  void a_join_of_branches_of_which_a_router_chooses_one_is_reported() {
    var graph = one().join(List.of("left2", "right2"), "meet").compile();
    assertThat(graph.warnings()).extracting(Problem::code).containsExactly("starving-join");
    assertThat(graph.warnings().getFirst().message())
        .contains("left2+right2 -> meet", "`judge`", "needs 2 sources", "at most 1");
    thrown(Deadlock.class, () -> graph.invoke(Input.none()));
  }

  @Test
  void a_join_that_needs_no_more_than_can_come_is_fine() {
    assertThat(warnings(one().join(JoinPolicy.any(), List.of("left2", "right2"), "meet")))
        .isEmpty();
    assertThat(warnings(one().join(List.of("left2", "free"), "meet"))).isEmpty();
    var two = JoinPolicy.atLeast(2);
    assertThat(warnings(one().join(two, List.of("left2", "right2", "free"), "meet"))).isEmpty();
    assertThat(warnings(one().join(two, List.of("left", "left2", "right2"), "meet"))).isEmpty();
    assertThat(warnings(one().join(List.of("left2", "right2", "free"), "meet")))
        .containsExactly("starving-join");
  }

  @Test
  void a_router_that_may_choose_several_targets_starves_no_join() {
    var many = choosing(g -> g.routeMany("judge", _ -> List.of(), "left", "right"));
    assertThat(warnings(many.join(List.of("left2", "right2"), "meet"))).isEmpty();
  }

  @Test
  void a_source_with_another_way_to_it_starves_no_join() {
    assertThat(warnings(one().edge("free", "left2").join(List.of("left2", "right2"), "meet")))
        .isEmpty();
  }

  @Test
  void a_router_that_is_asked_again_may_choose_the_other_branch() {
    var again = one().route("left2", _ -> "judge", "judge", END);
    assertThat(warnings(again.join(List.of("left2", "right2"), "meet"))).isEmpty();
  }

  @Test
  void a_router_after_start_starves_too_and_labels_make_no_difference() {
    var graph = Graph.named("warned");
    for (var node : List.of("left", "right", "meet")) graph.node(node, NOTHING).edge(node, END);
    graph
        .route(
            START,
            Side.class,
            _ -> Side.LEFT,
            java.util.Map.of(Side.LEFT, "left", Side.RIGHT, "right", Side.BOTH, "right"))
        .join(List.of("left", "right"), "meet");
    var report = graph.report();
    assertThat(report.isValid()).isTrue();
    assertThat(report.warnings()).extracting(Problem::code).containsExactly("starving-join");
    assertThat(report.warnings().getFirst().message()).contains("router after START");
  }

  enum Side {
    LEFT,
    RIGHT,
    BOTH
  }

  @Test
  void a_router_without_a_choice_is_reported() {
    var graph = choosing(g -> g.routeMany("judge", _ -> List.of(), "left", "right"));
    assertThat(warnings(graph.route("free", _ -> "meet", "meet"))).containsExactly("lone-target");
  }

  @Test
  void a_report_lists_errors_and_warnings_without_throwing() {
    var report = one().join(List.of("left2", "right2"), "meet").edge("free", "free").report();
    assertThat(report.isValid()).isFalse();
    assertThat(report.errors()).extracting(Problem::code).containsExactly("endless-cycle");
    assertThat(report.warnings()).extracting(Problem::code).containsExactly("starving-join");
    assertThat(one().edge("free", "nowhere").report().errors())
        .extracting(Problem::code)
        .containsExactly("unknown-node");
  }
}
