package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NestingDepthTest {
  static final Channel<Long, Long> COUNT = Channel.sum("count");

  private static Graph counting() {
    return Graph.named("counting")
        .channels(COUNT)
        .node("count", (_, _) -> Update.of(COUNT, 1L))
        .edge(START, "count")
        .edge("count", END)
        .compile();
  }

  private static Graph around(Graph graph, int level) {
    return Graph.named("level" + level)
        .channels(COUNT)
        .node(
            "down",
            Subgraph.of(
                graph, (State _) -> Input.none(), inside -> Update.of(COUNT, inside.get(COUNT))))
        .edge(START, "down")
        .edge("down", END)
        .compile();
  }

  @Test
  @Tag("T81")
  void graphs_run_inside_of_each_other_as_deep_as_is_allowed() throws Exception {
    var graph = counting();
    for (int i = 0; i < NestingDepth.DEPTH_MAX; i++) graph = around(graph, i);
    assertThat(completed(graph.invoke(Input.none())).get(COUNT)).isEqualTo(1);
    assertThat(completed(graph.invoke(Input.none(), Runs.kept())).get(COUNT)).isEqualTo(1);
    assertThat(graph.topology().mermaid()).contains("count");
  }

  @Test
  @Tag("T81")
  void a_graph_that_could_never_run_for_its_depth_is_not_made() {
    var deepest = new ArrayList<>(List.of(counting()));
    var invalid =
        thrown(
            InvalidGraph.class,
            () -> {
              for (int i = 0; i < 1_000; i++) deepest.add(around(deepest.getLast(), i));
            });
    assertThat(invalid.problems()).extracting(Problem::code).containsExactly("nested-too-deep");
    assertThat(deepest).hasSize(NestingDepth.DEPTH_MAX + 1);
  }

  @Test
  @Tag("T81")
  void runs_that_start_runs_without_end_are_stopped() {
    stopsIn(runs -> recursive(runs, 1, NodePolicy.defaults()).invoke(Input.none()));
  }

  @Test
  @Tag("T81")
  void the_depth_is_known_to_siblings_and_limited_attempts() {
    stopsIn(runs -> recursive(runs, 2, NodePolicy.defaults()).invoke(Input.none()));
    var limited = NodePolicy.defaults().timeout(Duration.ofMinutes(5));
    stopsIn(runs -> recursive(runs, 1, limited).invoke(Input.none()));
  }

  @Test
  @Tag("T81")
  void the_depth_is_known_to_a_stream() {
    stopsIn(NestingDepthTest::streamed);
  }

  private interface Start {
    Outcome run(AtomicInteger runs) throws InterruptedException;
  }

  private static void stopsIn(Start start) {
    var runs = new AtomicInteger();
    var failed = thrown(NodeFailed.class, () -> start.run(runs));
    assertThat(failed).satisfies(invalid(Reason.NESTED_TOO_DEEP));
    assertThat(runs).hasValue(NestingDepth.DEPTH_MAX + 2);
  }

  /// A graph that makes and runs another like it; only the first of its nodes does.
  private static Graph recursive(AtomicInteger runs, int width, NodePolicy policy) {
    runs.incrementAndGet();
    var builder = Graph.named("again").defaults(policy);
    for (int i = 0; i < width; i++) {
      boolean deeper = i == 0;
      builder
          .node(
              "node" + i,
              (_, _) -> {
                if (deeper) recursive(runs, width, policy).invoke(Input.none());
                return NodeResult.nothing();
              })
          .edge(START, "node" + i)
          .edge("node" + i, END);
    }
    return builder.compile();
  }

  private static Outcome streamed(AtomicInteger runs) throws InterruptedException {
    runs.incrementAndGet();
    var graph =
        Graph.named("again")
            .node(
                "node",
                (_, _) -> {
                  streamed(runs);
                  return NodeResult.nothing();
                })
            .edge(START, "node")
            .edge("node", END)
            .compile();
    try (var stream = graph.stream(Input.none(), RunOptions.defaults())) {
      return stream.outcome();
    }
  }
}
