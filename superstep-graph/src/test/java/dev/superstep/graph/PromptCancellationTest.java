package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.NodeResult;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Wherever a task blocks, cancellation and the deadline of its run interrupt it.
@Tag("G21")
@Timeout(60)
class PromptCancellationTest {
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  private static final long HANGS = 2_000;

  private final AtomicInteger entered = new AtomicInteger();
  private final Semaphore interrupted = new Semaphore(0);
  private final CountDownLatch blocked = new CountDownLatch(2);

  private void block() throws InterruptedException {
    entered.incrementAndGet();
    blocked.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.release();
      throw e;
    }
  }

  private static Graph two(SendNode<Integer> node, NodePolicy policy) {
    return Graph.named("two")
        .channels(PATH)
        .node(ITEM, node, policy)
        .fanOut(START, _ -> List.of(Send.to(ITEM, 0), Send.to(ITEM, 1)), ITEM)
        .edge("item", END)
        .compile();
  }

  private void isCancelledAtOnce(Graph graph, RunOptions options) throws Exception {
    try (var run = graph.stream(Input.none(), options)) {
      blocked.await();
      long since = System.nanoTime();
      run.cancel();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
      assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofMillis(HANGS));
    }
    interrupted.acquire(entered.get());
  }

  private void stopsAtItsDeadline(Graph graph, RunOptions options) throws Exception {
    var limit = Duration.ofSeconds(1);
    long since = System.nanoTime();
    var outcome = graph.invoke(Input.none(), options.deadline(limit));
    assertThat(Duration.ofNanos(System.nanoTime() - since).minus(limit))
        .isLessThan(Duration.ofMillis(HANGS));
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DEADLINE);
    interrupted.acquire(entered.get());
  }

  private Graph steps() {
    return two(
        (n, _, context) -> {
          context.step("mail", this::block);
          return Update.of(PATH, "item " + n);
        },
        NodePolicy.defaults());
  }

  @Test
  void cancelling_reaches_tasks_that_are_in_a_step() throws Exception {
    isCancelledAtOnce(steps(), kept());
  }

  @Test
  void the_deadline_reaches_tasks_that_are_in_a_step() throws Exception {
    stopsAtItsDeadline(steps(), kept());
  }

  private Graph inside() {
    var inner =
        Graph.named("inner")
            .node(
                "blocks",
                (_, _) -> {
                  block();
                  return NodeResult.nothing();
                })
            .edge(START, "blocks")
            .edge("blocks", END)
            .compile();
    var subgraph = Subgraph.<State>of(inner, _ -> Input.none(), _ -> NodeResult.nothing());
    return Graph.named("outer")
        .node("a", subgraph)
        .node("b", subgraph)
        .edge(START, "a")
        .edge(START, "b")
        .edge("a", END)
        .edge("b", END)
        .compile();
  }

  @Test
  void cancelling_reaches_tasks_of_graphs_inside() throws Exception {
    isCancelledAtOnce(inside(), kept());
  }

  @Test
  void the_deadline_reaches_tasks_of_graphs_inside() throws Exception {
    stopsAtItsDeadline(inside(), kept());
  }

  @Test
  void cancelling_reaches_tasks_that_wait_for_their_next_attempt() throws Exception {
    var graph =
        two(
            (_, _, _) -> {
              throw new IOException("no");
            },
            NodePolicy.defaults().retry(Retry.of(3)));
    isCancelledAtOnce(graph, kept().sleeper(_ -> block()));
  }

  @Test
  void cancelling_reaches_tasks_with_limited_time() throws Exception {
    var graph =
        two(
            (_, _, _) -> {
              block();
              return NodeResult.nothing();
            },
            NodePolicy.defaults().timeout(Duration.ofHours(1)));
    isCancelledAtOnce(graph, kept());
  }
}
