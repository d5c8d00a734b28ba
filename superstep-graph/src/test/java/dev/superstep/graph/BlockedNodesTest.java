package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.NodeFailed;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.ThreadState;
import dev.superstep.run.ThreadState.BlockReason;
import dev.superstep.run.ThreadState.BlockedNode;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which nodes of a thread are held, and by what.
@Tag("G26")
@Timeout(60)
class BlockedNodesTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Channel<Integer, Integer> ROUND = Channel.latest("round", Integer.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  private static GraphBuilder line(String... names) {
    var builder = Graph.named("line").channels(SAID, ROUND).questions(ASK);
    for (var name : names) builder.node(name, (_, _) -> Update.of(SAID, name));
    return builder;
  }

  private static ThreadState state(Graph graph, RunOptions options) throws InterruptedException {
    return graph.state(options).orElseThrow();
  }

  private static void stopped(Outcome.Reason reason, Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(reason);
  }

  @Test
  void nodes_with_a_breakpoint_before_them_are_blocked_until_the_run_resumes() throws Exception {
    var broken = new AtomicInteger(1);
    var graph =
        line("a", "c")
            .node(
                "b",
                (_, _) -> {
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("broken");
                  return Update.of(SAID, "b");
                })
            .sequence(START, "a", "b", END)
            .sequence("a", "c", END)
            .breakpoints(Breakpoints.none().before("b"))
            .compile();
    var options = kept();
    stopped(Outcome.Reason.PAUSED, graph.invoke(Input.none(), options));
    // A pause stops the superstep, and so those beside the node as well.
    assertThat(state(graph, options).blocked())
        .containsExactly(
            new BlockedNode("c", BlockReason.PAUSE), new BlockedNode("b", BlockReason.PAUSE));
    thrown(NodeFailed.class, () -> graph.resume(Answers.none(), options));
    assertThat(state(graph, options).next()).containsExactly("c", "b");
    assertThat(state(graph, options).blocked()).isEmpty();
    completed(graph.resume(Answers.none(), options));
    assertThat(state(graph, options).blocked()).isEmpty();
  }

  @Test
  void a_node_whose_subgraph_hit_a_breakpoint_is_blocked_and_so_is_the_inner_node()
      throws Exception {
    var inner =
        line("a", "b").sequence(START, "a", "b", END).breakpoints(Breakpoints.none().before("b"));
    var graph =
        line("beside")
            .node("inside", Subgraph.shared(inner.compile()))
            .sequence(START, "inside", END)
            .sequence(START, "beside", END)
            .compile();
    var options = kept();
    stopped(Outcome.Reason.PAUSED, graph.invoke(Input.none(), options));
    var state = state(graph, options);
    assertThat(state.blocked()).containsExactly(new BlockedNode("inside", BlockReason.PAUSE));
    assertThat(state.inside().get("inside").blocked())
        .containsExactly(new BlockedNode("b", BlockReason.PAUSE));
    completed(graph.resume(Answers.none(), options));
    assertThat(state(graph, options).blocked()).isEmpty();
  }

  @Test
  void pending_nodes_of_a_drained_run_are_blocked_until_it_resumes() throws Exception {
    var in = new CountDownLatch(1);
    var gate = new CountDownLatch(1);
    var broken = new AtomicInteger(1);
    var graph =
        line()
            .node(
                "a",
                (_, _) -> {
                  in.countDown();
                  gate.await();
                  return Update.of(SAID, "a");
                })
            .node(
                "b",
                (_, _) -> {
                  if (broken.getAndDecrement() > 0) throw new IllegalStateException("broken");
                  return Update.of(SAID, "b");
                })
            .sequence(START, "a", "b", END)
            .compile();
    var options = kept();
    try (var run = graph.stream(Input.none(), options)) {
      in.await();
      run.drain();
      gate.countDown();
      stopped(Outcome.Reason.DRAINED, run.outcome());
    }
    assertThat(state(graph, options).blocked())
        .containsExactly(new BlockedNode("b", BlockReason.DRAIN));
    // Being drained is no pause that was passed.
    stopped(
        Outcome.Reason.PAUSED,
        graph.resume(Answers.none(), options.breakpoints(Breakpoints.none().before("b"))));
    assertThat(state(graph, options).blocked())
        .containsExactly(new BlockedNode("b", BlockReason.PAUSE));
    thrown(NodeFailed.class, () -> graph.resume(Answers.none(), options));
    assertThat(state(graph, options).blocked()).isEmpty();
  }

  @Test
  void gated_and_deferred_nodes_are_blocked_with_their_own_reason() throws Exception {
    var graph =
        line("count", "again", "last")
            .node("gated", (_, _) -> Update.of(SAID, "gated"))
            .sequence(START, "count", "gated", "again")
            .edge("count", "last")
            .edge("last", END)
            .runWhenChanged("gated", ROUND)
            .deferred("last")
            .route("again", state -> rounds(state) < 3 ? "gated" : END, "gated", END)
            .compile();
    var options = kept();
    stopped(
        Outcome.Reason.PAUSED,
        graph.invoke(Input.none(), options.breakpoints(Breakpoints.none().after("again"))));
    var state = state(graph, options);
    assertThat(state.next()).containsExactly("gated");
    assertThat(state.blocked())
        .containsExactly(
            new BlockedNode("gated", BlockReason.GATE),
            new BlockedNode("last", BlockReason.DEFERRED));
  }

  private static long rounds(State state) {
    return state.get(SAID).stream().filter("again"::equals).count();
  }

  @Test
  void a_node_with_an_open_question_is_not_blocked() throws Exception {
    var graph =
        line()
            .node("ask", (_, context) -> Update.of(SAID, context.interrupt(ASK, "?")))
            .sequence(START, "ask", END)
            .compile();
    var options = kept();
    asked(graph.invoke(Input.none(), options));
    assertThat(state(graph, options).next()).containsExactly("ask");
    assertThat(state(graph, options).blocked()).isEmpty();
  }
}
