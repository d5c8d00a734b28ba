package dev.superstep.shape;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.StepLimitReached;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Node;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.shape.Rounds.Result;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T105")
class PlanExecuteReviewTest {
  static final Channel<Long, Long> NEEDED = Channel.latest("needed", Long.class);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  static final Node PLAN = (_, _) -> Update.of(LOG, "plan");
  static final Node EXECUTE = (_, _) -> Update.of(LOG, "execute");

  /// Passes once there were as many executions as are needed.
  static LoopVerdict review(State state) {
    long done = state.get(LOG).stream().filter("execute"::equals).count();
    var verdict = done >= state.get(NEEDED) ? LoopVerdict.pass() : LoopVerdict.fail();
    return verdict.and(LOG, verdict.passed() ? "passed" : "failed");
  }

  static PlanExecuteReview work() {
    return PlanExecuteReview.named("work", 3, "escalate")
        .plan(PLAN)
        .execute(EXECUTE)
        .review((state, _) -> review(state))
        .then("publish");
  }

  static GraphBuilder around(PlanExecuteReview work) {
    return work.addTo(Graph.named("essay").channels(NEEDED, LOG))
        .node("publish", (_, _) -> Update.of(LOG, "publish"))
        .node("escalate", (_, _) -> Update.of(LOG, "escalate"))
        .edge(START, work.entry())
        .edge("publish", END)
        .edge("escalate", END);
  }

  static State run(Graph graph, long needed, RunOptions options) throws InterruptedException {
    var outcome = graph.invoke(Input.of(NEEDED, needed), options);
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state();
  }

  @Test
  void a_failed_review_repeats_the_work_and_a_passed_one_continues() throws Exception {
    var work = work();
    var end = run(around(work).compile(), 2, RunOptions.defaults());
    assertThat(end.get(LOG))
        .containsExactly("plan", "execute", "failed", "execute", "passed", "publish");
    assertThat(end.get(work.rounds())).isEqualTo(new Rounds(2, Result.PASSED));
  }

  @Test
  void the_last_failed_review_leads_to_its_own_target() throws Exception {
    var work = work();
    var end = run(around(work).compile(), 4, RunOptions.defaults());
    assertThat(end.get(LOG))
        .containsSubsequence("execute", "failed", "execute", "failed", "execute", "failed")
        .endsWith("failed", "escalate");
    assertThat(end.get(work.rounds())).isEqualTo(new Rounds(3, Result.EXHAUSTED));
    assertThat(run(around(work).compile(), 3, RunOptions.defaults()).get(LOG)).endsWith("publish");
  }

  @Test
  void a_thread_that_enters_the_loop_again_has_all_its_rounds_again() throws Exception {
    var graph = around(work()).compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    assertThat(run(graph, 4, options).get(LOG)).endsWith("escalate");
    assertThat(run(graph, 5, options).get(LOG)).endsWith("failed", "execute", "passed", "publish");
  }

  @Test
  void a_review_that_is_passed_over_has_not_passed() throws Exception {
    LoopCheck throwing =
        (state, _) -> {
          if (state.get(NEEDED) == 99) throw new IOException("no network");
          return review(state);
        };
    var work =
        PlanExecuteReview.named("work", 3, "escalate")
            .plan(PLAN)
            .execute(EXECUTE)
            .review(throwing, NodePolicy.defaults().onFailure(OnFailure.skip()))
            .then("publish");
    var graph = around(work).compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    assertThat(run(graph, 1, options).get(LOG)).endsWith("passed", "publish");
    assertThat(run(graph, 99, options).get(LOG)).endsWith("plan", "execute", "escalate");
  }

  @Test
  void rounds_are_counted_on_when_a_run_is_resumed() throws Exception {
    var work = work();
    var graph = around(work).compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    assertThatExceptionOfType(StepLimitReached.class)
        .isThrownBy(() -> graph.invoke(Input.of(NEEDED, 99L), options.stepLimit(4)));
    var outcome = graph.resume(Answers.none(), options);
    var end = ((Outcome.Completed) outcome).state();
    assertThat(end.get(LOG)).endsWith("escalate").filteredOn("execute"::equals).hasSize(3);
  }

  @Test
  @Tag("A1")
  void the_shape_is_the_graph_that_one_would_build_by_hand() throws Exception {
    var work = work();
    var verdict = Channel.ephemeral("work-verdict", Result.class);
    Node reviewing = (state, _) -> review(state).update();
    var targets =
        Map.of(
            Result.PASSED, "publish", Result.AGAIN, "work.execute", Result.EXHAUSTED, "escalate");
    var byHand =
        Graph.named("essay")
            .channels(NEEDED, LOG, work.rounds(), verdict)
            .node("work.plan", PLAN)
            .node("work.execute", EXECUTE)
            .node("work.review", reviewing)
            .node("publish", PLAN)
            .node("escalate", PLAN)
            .edge("work.plan", "work.execute")
            .edge("work.execute", "work.review")
            .route("work.review", Result.class, s -> s.get(verdict), targets)
            .edge(START, "work.plan")
            .edge("publish", END)
            .edge("escalate", END)
            .compile()
            .topology();
    var topology = around(work).compile().topology();
    assertThat(topology).isEqualTo(byHand);
    assertThat(topology.hash()).isEqualTo(byHand.hash());
    Golden.check("shape-plan-execute-review.mmd", topology.mermaid());
  }

  @Test
  void one_graph_may_have_a_shape_twice() throws Exception {
    var second =
        PlanExecuteReview.named("polish", 1, END)
            .plan(PLAN)
            .execute(EXECUTE)
            .review((_, _) -> LoopVerdict.fail())
            .then("publish");
    var first = work().then(second.entry());
    var graph = second.addTo(around(first)).compile();
    var end = run(graph, 1, RunOptions.defaults());
    assertThat(end.get(first.rounds()).result()).isEqualTo(Result.PASSED);
    assertThat(end.get(second.rounds())).isEqualTo(new Rounds(1, Result.EXHAUSTED));
  }

  @Test
  void a_step_may_be_a_node_with_a_policy_or_a_graph() throws Exception {
    var tries = new AtomicInteger();
    Node flaky =
        (_, _) -> {
          if (tries.incrementAndGet() == 1) throw new IOException("no network");
          return Update.of(LOG, "plan");
        };
    var inner =
        Graph.named("inner")
            .channels(LOG)
            .node("draft", (_, _) -> Update.of(LOG, "draft"))
            .node("write", EXECUTE)
            .sequence(START, "draft", "write", END)
            .compile();
    var again = NodePolicy.defaults().retry(Retry.of(2));
    var work =
        PlanExecuteReview.named("work", 3, "escalate")
            .plan(Step.of(flaky, again))
            .execute(Step.of(Subgraph.shared(inner)))
            .review((state, _) -> review(state))
            .then("publish");
    var end = run(around(work).compile(), 1, RunOptions.defaults().sleeper(_ -> {}));
    assertThat(end.get(LOG)).containsExactly("plan", "draft", "execute", "passed", "publish");
  }

  @Test
  void missing_and_duplicate_parts_are_named() {
    assertThatIllegalStateException()
        .isThrownBy(() -> PlanExecuteReview.named("work", 1, END).plan(PLAN).addTo(builder()))
        .withMessageContaining("`work` has no execute");
    assertThatIllegalStateException()
        .isThrownBy(() -> work().plan(PLAN))
        .withMessageContaining("`work` has a plan already");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> work().node("exekute"))
        .withMessageContaining("[plan, execute, review]");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> PlanExecuteReview.named("My work", 1, END))
        .withMessageContaining("`My work`");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> PlanExecuteReview.named("work", 0, END));
  }

  private static GraphBuilder builder() {
    return Graph.named("g");
  }
}
