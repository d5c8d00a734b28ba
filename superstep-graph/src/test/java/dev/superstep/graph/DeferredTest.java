package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.InvalidGraph;
import dev.superstep.error.StepLimitReached;
import dev.superstep.node.Node;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Problem;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T74")
class DeferredTest {
  static final Channel<List<String>, String> PATH = Channel.append("path", String.class);
  static final Channel<Long, Long> ROUND = Channel.sum("round");
  static final Target<String> LATER = Target.of("later", String.class);
  static final Node TRACE = (_, context) -> Update.of(PATH, context.node() + context.step());

  static GraphBuilder graph(String... nodes) {
    var builder = Graph.named("deferred").channels(PATH, ROUND);
    for (var node : nodes) builder.node(node, TRACE);
    return builder;
  }

  /// A short and a long branch, both of which lead to `sum`.
  static GraphBuilder branches() {
    return graph("short", "long1", "long2", "long3", "sum")
        .sequence(START, "short", "sum", END)
        .sequence(START, "long1", "long2", "long3", "sum")
        .deferred("sum");
  }

  static List<String> path(Graph graph, int concurrency) throws InterruptedException {
    var options = RunOptions.defaults().concurrency(concurrency);
    return completed(graph.invoke(Input.none(), options)).get(PATH);
  }

  @Test
  void a_deferred_node_waits_for_everything_else_and_runs_once() throws Exception {
    for (int concurrency : new int[] {1, 64}) {
      assertThat(path(branches().compile(), concurrency))
          .containsExactly("short1", "long11", "long22", "long33", "sum4");
    }
  }

  @Test
  void a_deferred_node_stays_deferred_when_another_process_resumes_the_run() throws Exception {
    var options = kept().stepLimit(1);
    thrown(StepLimitReached.class, () -> branches().compile().invoke(Input.none(), options));
    thrown(StepLimitReached.class, () -> branches().compile().resume(Answers.none(), options));
    thrown(StepLimitReached.class, () -> branches().compile().resume(Answers.none(), options));
    var state = completed(branches().compile().resume(Answers.none(), options));
    assertThat(state.get(PATH)).containsExactly("short1", "long11", "long22", "long33", "sum4");
  }

  @Test
  void a_deferred_node_waits_until_a_loop_has_drained() throws Exception {
    var graph =
        graph("fork", "sum")
            .node("again", TRACE)
            .edge(START, "fork")
            .edge("fork", "sum")
            .edge("fork", "again")
            .route("again", state -> state.get(PATH).size() < 5 ? "again" : END, "again", END)
            .deferred("sum")
            .edge("sum", END)
            .compile();
    assertThat(path(graph, 64))
        .containsExactly("fork1", "again2", "again3", "again4", "again5", "sum6");
  }

  @Test
  @Tag("G5")
  void several_run_together_in_order_of_declaration() throws Exception {
    var graph =
        graph("y", "x", "a", "b")
            .sequence(START, "a", "x", END)
            .sequence(START, "b", "y", END)
            .edge("a", "b")
            .deferred("x", "y")
            .compile();
    assertThat(path(graph, 64)).containsExactly("a1", "b1", "b2", "y3", "x3");
  }

  @Test
  void a_sent_one_runs_once_for_each_argument_in_sending_order() throws Exception {
    var graph =
        graph("a", "b", "plain")
            .node(LATER, (text, _, context) -> Update.of(PATH, text + context.step()))
            .edge(START, "a")
            .edge("a", "b")
            .edge("a", "plain")
            .fanOut("a", _ -> List.of(Send.to(LATER, "x"), Send.to(LATER, "y")), LATER)
            .fanOut("b", _ -> List.of(Send.to(LATER, "x")), LATER)
            .edge("plain", END)
            .edge("later", END)
            .deferred("later", "plain")
            .compile();
    for (int concurrency : new int[] {1, 64}) {
      assertThat(path(graph, concurrency)).containsExactly("a1", "b2", "plain3", "x3", "y3", "x3");
    }
  }

  @Test
  void successors_of_a_deferred_node_run_before_nodes_that_are_deferred_again() throws Exception {
    var graph =
        graph("a", "mid", "last")
            .node("sum", (_, in) -> Update.of(PATH, "sum" + in.step()).and(ROUND, 1L))
            .edge(START, "a")
            .edge("a", "sum")
            .route("sum", state -> state.get(ROUND) < 2 ? "mid" : END, "mid", END)
            .edge("mid", "sum")
            .edge("mid", "last")
            .edge("last", END)
            .deferred("sum")
            .compile();
    assertThat(path(graph, 64)).containsExactly("a1", "sum2", "mid3", "last4", "sum5");
  }

  @Test
  void a_deferred_node_that_follows_start_runs_at_once_if_nothing_else_does() throws Exception {
    var graph = graph("sum").edge(START, "sum").edge("sum", END).deferred("sum").compile();
    assertThat(path(graph, 64)).containsExactly("sum1");
  }

  @Test
  void a_deferred_node_may_end_a_join() throws Exception {
    var graph =
        graph("a", "b", "c", "end")
            .edge(START, "a")
            .sequence(START, "b", "c")
            .join(List.of("a", "c"), "end")
            .edge("end", END)
            .deferred("a", "end")
            .compile();
    assertThat(path(graph, 64)).containsExactly("b1", "c2", "a3", "end4");
  }

  @Test
  void a_subgraph_drains_on_its_own() throws Exception {
    var inner = branches().compile();
    var graph =
        graph("before", "sum")
            .node(
                "inner",
                Subgraph.of(
                    inner, (State _) -> Input.none(), state -> Update.all(PATH, state.get(PATH))))
            .sequence(START, "inner", "sum", END)
            .sequence(START, "before", "sum")
            .deferred("sum")
            .compile();
    assertThat(path(graph, 64))
        .containsExactly("before1", "short1", "long11", "long22", "long33", "sum4", "sum2");
  }

  @Test
  void a_name_that_is_no_node_is_a_problem_and_deferral_is_part_of_the_shape() {
    var error = thrown(InvalidGraph.class, () -> branches().deferred("summ").compile());
    assertThat(error.problems()).extracting(Problem::code).containsExactly("unknown-node");
    assertThat(error).hasMessageContaining("Did you mean `sum`?");
    var topology = branches().compile().topology();
    assertThat(topology.mermaid()).contains("[\"sum (deferred)\"]");
    assertThat(topology.hash())
        .isNotEqualTo(branches().deferred("long2").compile().topology().hash());
  }
}
