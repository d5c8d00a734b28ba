package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.RouterFailed;
import dev.superstep.error.StepFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.FailurePoint;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An error of a run says which nodes were under way or due.
@Tag("G34")
class FailurePointTest {
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  static final Node NOTHING = (_, _) -> NodeResult.nothing();
  static final Node FAILING =
      (_, _) -> {
        throw new IllegalStateException("broken");
      };

  private static GraphBuilder graph(String... names) {
    var builder = Graph.named("desk").channels(REPORT);
    for (var name : names) builder.node(name, NOTHING);
    return builder;
  }

  private static FailurePoint frontier(Class<? extends StepFailed> type, GraphBuilder graph) {
    return thrown(type, () -> graph.compile().invoke(Input.none(), kept()))
        .frontier()
        .orElseThrow();
  }

  @Test
  void the_failure_point_of_a_node_lists_siblings_and_blocked_tasks() {
    var graph =
        graph("first", "good", "last")
            .node("bad", FAILING)
            .edge(START, "first")
            .sequence("first", "good", END)
            .sequence("first", "bad", END)
            .sequence("first", "last", END)
            .deferred("last");
    assertThat(frontier(NodeFailed.class, graph))
        .isEqualTo(
            new FailurePoint("desk", 2, List.of("good", "bad"), List.of("good"), List.of("last")));
  }

  @Test
  void conflicting_writes_and_failing_routers_list_the_tasks_of_their_superstep() {
    var meeting =
        graph()
            .node("a", (_, _) -> Update.of(REPORT, "a"))
            .node("b", (_, _) -> Update.of(REPORT, "b"))
            .sequence(START, "a", END)
            .sequence(START, "b", END);
    var both = List.of("a", "b");
    assertThat(frontier(ConcurrentWrites.class, meeting))
        .isEqualTo(new FailurePoint("desk", 1, both, both, List.of()));
    var routing =
        graph("a")
            .edge(START, "a")
            .route(
                "a",
                _ -> {
                  throw new IllegalStateException("lost");
                },
                "a",
                END);
    assertThat(frontier(RouterFailed.class, routing).due()).containsExactly("a");
  }

  @Test
  void a_reached_limit_lists_pending_tasks_and_a_deadlock_lists_none() {
    var looping = graph("a").edge(START, "a").route("a", _ -> "a", "a", END);
    assertThat(frontier(StepLimitReached.class, looping))
        .isEqualTo(new FailurePoint("desk", 51, List.of("a"), List.of(), List.of()));
    var stuck =
        graph("a", "b", "c")
            .edge(START, "a")
            .route("a", _ -> "b", "b", "c")
            .join(List.of("b", "c"), "d")
            .node("d", NOTHING)
            .edge("d", END);
    assertThat(frontier(Deadlock.class, stuck))
        .isEqualTo(new FailurePoint("desk", 3, List.of(), List.of(), List.of()));
  }

  @Test
  void a_failure_in_a_subgraph_has_a_failure_point_for_each_graph() {
    var inner = Graph.named("inner").node("deep", FAILING).sequence(START, "deep", END).compile();
    var outer =
        graph("beside")
            .node("inside", Subgraph.of(inner, _ -> Input.none(), _ -> NodeResult.nothing()))
            .sequence(START, "inside", END)
            .sequence(START, "beside", END);
    var error = thrown(NodeFailed.class, () -> outer.compile().invoke(Input.none(), kept()));
    assertThat(error.frontier().orElseThrow().due()).containsExactly("beside", "inside");
    assertThat(error).hasCauseInstanceOf(NodeFailed.class);
    assertThat(((NodeFailed) error.getCause()).frontier().orElseThrow())
        .isEqualTo(new FailurePoint("inner", 1, List.of("deep"), List.of(), List.of()));
  }

  @Test
  void input_that_cannot_be_folded_has_no_frontier() {
    var twice = Input.of(REPORT, "a").and(REPORT, "b");
    var graph = graph("a").sequence(START, "a", END).compile();
    var error = thrown(ConcurrentWrites.class, () -> graph.invoke(twice, kept()));
    assertThat(error.frontier()).isEmpty();
  }
}
