package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.VisitLimitReached;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T81")
@Tag("W54")
class StepLimitTest {
  static final Channel<List<String>, String> SEEN = Channel.append("seen", String.class);
  static final Channel<Long, Long> TURNS = Channel.latest("turns", Long.class);

  static Graph loop() {
    Node node =
        (_, context) ->
            Update.of(
                SEEN,
                context.step()
                    + " of "
                    + context.limit()
                    + ", "
                    + context.remainingSteps()
                    + " left"
                    + (context.isLastStep() ? ", last" : ""));
    return Graph.named("loop")
        .channels(SEEN, TURNS)
        .node("turn", node)
        .edge(START, "turn")
        .route("turn", s -> s.get(SEEN).size() < s.get(TURNS) ? "turn" : END, "turn", END)
        .compile();
  }

  @Test
  void a_subgraph_may_have_its_own_step_limit() throws Exception {
    var own =
        Graph.named("own")
            .channels(SEEN, TURNS)
            .node("turn", (_, _) -> Update.of(SEEN, "again"))
            .edge(START, "turn")
            .route("turn", s -> s.get(SEEN).size() < s.get(TURNS) ? "turn" : END, "turn", END)
            .stepLimit(70)
            .compile();
    assertThat(completed(own.invoke(Input.of(TURNS, 70L))).get(SEEN)).hasSize(70);
    assertThat(thrown(StepLimitReached.class, () -> own.invoke(Input.of(TURNS, 71L))).limit())
        .isEqualTo(70);
    var less = RunOptions.defaults().stepLimit(5);
    assertThat(thrown(StepLimitReached.class, () -> own.invoke(Input.of(TURNS, 6L), less)).limit())
        .isEqualTo(5);
    var around =
        Graph.named("around")
            .channels(SEEN, TURNS)
            .node("inside", Subgraph.shared(own))
            .edge(START, "inside")
            .edge("inside", END)
            .compile();
    assertThat(completed(around.invoke(Input.of(TURNS, 70L), less)).get(SEEN)).hasSize(70);
    var over = thrown(NodeFailed.class, () -> around.invoke(Input.of(TURNS, 71L), less));
    assertThat(over).hasRootCauseInstanceOf(StepLimitReached.class);
  }

  @Test
  @Tag("E3")
  void a_run_that_needs_exactly_the_limit_completes() throws Exception {
    var outcome = loop().invoke(Input.of(TURNS, 3L), RunOptions.defaults().stepLimit(3));
    assertThat(completed(outcome).get(SEEN))
        .containsExactly("1 of 3, 2 left", "2 of 3, 1 left", "3 of 3, 0 left, last");
  }

  @Test
  void a_superstep_over_the_limit_is_refused_and_the_message_lists_pending_tasks() {
    var options = RunOptions.defaults().stepLimit(3).ids(() -> "r-1");
    var error = thrown(StepLimitReached.class, () -> loop().invoke(Input.of(TURNS, 4L), options));
    assertThat(error)
        .hasMessageContaining("`loop`")
        .hasMessageContaining("r-1")
        .hasMessageContaining("limit of 3")
        .hasMessageContaining("[turn]");
    assertThat(error.limit()).isEqualTo(3);
    assertThat(error.due()).containsExactly("turn");
    assertThat(error.code()).isEqualTo("graph.step-limit");
  }

  @Test
  @Tag("X12")
  void the_limit_is_50_unless_set() {
    var error = thrown(StepLimitReached.class, () -> loop().invoke(Input.of(TURNS, 51L)));
    assertThat(error.limit()).isEqualTo(50);
  }

  @Test
  void a_resumed_thread_gets_as_many_again_and_loses_nothing() throws Exception {
    var options = kept().stepLimit(2);
    thrown(StepLimitReached.class, () -> loop().invoke(Input.of(TURNS, 5L), options));
    thrown(StepLimitReached.class, () -> loop().resume(Answers.none(), options));
    assertThat(completed(loop().resume(Answers.none(), options)).get(SEEN))
        .containsExactly(
            "1 of 2, 1 left",
            "2 of 2, 0 left, last",
            "3 of 4, 1 left",
            "4 of 4, 0 left, last",
            "5 of 6, 1 left");
  }

  @Test
  void new_input_on_a_finished_thread_gets_the_whole_limit() throws Exception {
    var options = kept().stepLimit(2);
    completed(loop().invoke(Input.of(TURNS, 2L), options));
    var second = completed(loop().invoke(Input.of(TURNS, 4L), options)).get(SEEN);
    assertThat(second).hasSize(4).last().asString().endsWith("0 left, last");
  }

  /// A loop of four turns around a loop of four turns around one.
  private static Graph nested() {
    var loop = loop();
    for (int i = 0; i < 2; i++) {
      var inner = loop;
      loop =
          Graph.named("around-" + i)
              .channels(SEEN, TURNS)
              .node(
                  "turn",
                  Subgraph.<State>of(
                      inner, _ -> Input.of(TURNS, 4L), _ -> Update.of(SEEN, "around")))
              .edge(START, "turn")
              .route("turn", s -> s.get(SEEN).size() < 4 ? "turn" : END, "turn", END)
              .compile();
    }
    return loop;
  }

  @Test
  @Tag("T81")
  void loops_in_loops_have_a_limit_together() throws Exception {
    // 4 + 16 + 64 supersteps.
    var enough = RunOptions.defaults().totalStepLimit(84);
    assertThat(completed(nested().invoke(Input.none(), enough)).get(SEEN)).hasSize(4);
    var less = RunOptions.defaults().totalStepLimit(83);
    var error = thrown(NodeFailed.class, () -> nested().invoke(Input.none(), less));
    assertThat(error)
        .rootCause()
        .isInstanceOf(StepLimitReached.class)
        .hasMessageContaining("limit of 83")
        .hasMessageContaining("totalStepLimit");
  }

  /// One superstep more than the sum of what its subgraphs take.
  private static Graph sending(int tasks, int each) {
    var target = Target.of("each", Integer.class);
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < tasks; i++) sends.add(Send.to(target, i));
    return Graph.named("sending")
        .channels(SEEN)
        .node("split", (_, _) -> NodeResult.nothing())
        .node(
            target,
            Subgraph.of(loop(), _ -> Input.of(TURNS, (long) each), _ -> Update.of(SEEN, "done")))
        .edge(START, "split")
        .fanOut("split", _ -> sends, target)
        .edge("each", END)
        .compile();
  }

  @Test
  @Tag("T81")
  void the_limit_of_all_supersteps_is_1000_unless_set() throws Exception {
    // 2 + 499 * 2 are 1,000.
    var state = completed(sending(499, 2).invoke(Input.none()));
    assertThat(state.get(SEEN)).hasSize(499);
    var error = thrown(NodeFailed.class, () -> sending(500, 2).invoke(Input.none()));
    assertThat(error)
        .rootCause()
        .isInstanceOf(StepLimitReached.class)
        .hasMessageContaining("limit of 1000")
        .hasMessageContaining("totalStepLimit");
    var more = RunOptions.defaults().totalStepLimit(1_002);
    assertThat(completed(sending(500, 2).invoke(Input.none(), more)).get(SEEN)).hasSize(500);
  }

  @Test
  @Tag("T81")
  void a_graph_with_a_higher_limit_of_its_own_raises_that_of_all_supersteps() throws Exception {
    var options = RunOptions.defaults().stepLimit(1_200);
    assertThat(completed(loop().invoke(Input.of(TURNS, 1_200L), options)).get(SEEN)).hasSize(1_200);
  }

  @Test
  @Tag("T81")
  void a_node_may_have_a_limit_of_visits_in_a_run() throws Exception {
    var policy = NodePolicy.defaults().visits(3).retry(Retry.of(5));
    var graph = visited(policy);
    assertThat(completed(graph.invoke(Input.of(TURNS, 3L))).get(SEEN)).hasSize(3);
    var error = thrown(NodeFailed.class, () -> graph.invoke(Input.of(TURNS, 4L)));
    assertThat(error).hasCauseInstanceOf(VisitLimitReached.class);

    var skipping = visited(policy.onFailure(OnFailure.skip()));
    var limit = RunOptions.defaults().stepLimit(6);
    assertThat(thrown(StepLimitReached.class, () -> skipping.invoke(Input.of(TURNS, 4L), limit)))
        .hasMessageContaining("limit of 6");
  }

  private static Graph visited(NodePolicy policy) {
    return Graph.named("visited")
        .channels(SEEN, TURNS)
        .node("turn", (_, _) -> Update.of(SEEN, "here"), policy)
        .edge(START, "turn")
        .route("turn", s -> s.get(SEEN).size() < s.get(TURNS) ? "turn" : END, "turn", END)
        .compile();
  }
}
