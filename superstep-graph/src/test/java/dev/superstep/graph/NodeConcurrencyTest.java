package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("G17")
@Timeout(60)
class NodeConcurrencyTest {
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  static final int ITEMS = 200;

  private final AtomicInteger atWork = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private NodeResult work(int n) {
    most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
    for (int i = 0; i < 20; i++) Thread.yield();
    atWork.decrementAndGet();
    return Update.of(PATH, "r" + n);
  }

  private GraphBuilder items(NodePolicy policy) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < ITEMS; i++) sends.add(Send.to(ITEM, i));
    return Graph.named("items")
        .channels(PATH)
        .node(ITEM, (n, _, _) -> work(n), policy)
        .fanOut(START, _ -> sends, ITEM)
        .edge("item", END);
  }

  @Test
  void no_more_tasks_of_a_node_run_at_once_than_it_allows_and_all_run() throws Exception {
    var free = completed(items(NodePolicy.defaults()).compile().invoke(Input.none()));
    for (int limit = 1; limit <= 3; limit++) {
      most.set(0);
      var graph = items(NodePolicy.defaults().concurrency(limit)).compile();
      var state = completed(graph.invoke(Input.none()));
      assertThat(state.get(PATH)).isEqualTo(free.get(PATH)).hasSize(ITEMS);
      assertThat(most.get()).isBetween(1, limit);
    }
  }

  @Test
  void a_node_with_a_limit_does_not_hold_up_another() throws Exception {
    var others = new CountDownLatch(1);
    var sends = List.<Send<?>>of(Send.to(ITEM, 0), Send.to(ITEM, 1), Send.to(ITEM, 2));
    var graph =
        Graph.named("two")
            .channels(PATH)
            .node(
                ITEM,
                (n, _, _) -> {
                  others.await();
                  return work(n);
                },
                NodePolicy.defaults().concurrency(1))
            .node(
                "other",
                (_, _) -> {
                  others.countDown();
                  return Update.of(PATH, "other");
                })
            .fanOut(START, _ -> sends, ITEM)
            .edge(START, "other")
            .edge("item", END)
            .edge("other", END)
            .compile();
    var outcome = graph.invoke(Input.none(), RunOptions.defaults().concurrency(2));
    assertThat(completed(outcome).get(PATH)).containsExactly("other", "r0", "r1", "r2");
    assertThat(most).hasValue(1);
  }

  @Test
  void a_failed_task_frees_its_slot() throws Exception {
    var policy = NodePolicy.defaults().concurrency(2).onFailure(OnFailure.skip());
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < ITEMS; i++) sends.add(Send.to(ITEM, i));
    var graph =
        Graph.named("failing")
            .channels(PATH)
            .node(
                ITEM,
                (n, _, _) -> {
                  if (n % 2 == 0) throw new java.io.IOException("even");
                  return work(n);
                },
                policy)
            .fanOut(START, _ -> sends, ITEM)
            .edge("item", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(PATH)).hasSize(ITEMS / 2);
  }

  @Test
  void cancelling_a_run_ends_tasks_that_wait_for_a_slot() throws Exception {
    var in = new CountDownLatch(1);
    var sends = List.<Send<?>>of(Send.to(ITEM, 0), Send.to(ITEM, 1), Send.to(ITEM, 2));
    var runs = new AtomicInteger();
    var graph =
        Graph.named("cancelled")
            .channels(PATH)
            .node(
                ITEM,
                (_, _, _) -> {
                  runs.incrementAndGet();
                  in.countDown();
                  new CountDownLatch(1).await();
                  return NodeResult.nothing();
                },
                NodePolicy.defaults().concurrency(1))
            .fanOut(START, _ -> sends, ITEM)
            .edge("item", END)
            .compile();
    try (var run = graph.stream(Input.none(), RunOptions.defaults())) {
      in.await();
      run.cancel();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(runs).hasValue(1);
  }
}
