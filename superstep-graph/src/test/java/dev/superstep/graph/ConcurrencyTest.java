package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Event;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E15")
class ConcurrencyTest {
  static final Channel<List<String>, String> DONE = Channel.append("done", String.class);
  static final Channel<Long, Long> COUNT = Channel.latest("count", Long.class);
  static final Target<Integer> WORK = Target.of("work", Integer.class);

  static Graph fanOut(SendNode<Integer> work) {
    return Graph.named("fan-out")
        .channels(DONE, COUNT)
        .node(WORK, work)
        .fanOut(
            START,
            state -> {
              var sends = new ArrayList<Send<?>>();
              for (int i = 0; i < state.get(COUNT); i++) sends.add(Send.to(WORK, i));
              return sends;
            },
            WORK)
        .edge("work", END)
        .compile();
  }

  @Test
  @Tag("W22")
  void a_hundred_blocking_tasks_of_100_ms_take_less_than_300_ms() throws Exception {
    var graph =
        fanOut((n, _, _) -> {
          Thread.sleep(100);
          return Update.of(DONE, "r" + n);
        });
    var options = RunOptions.defaults().concurrency(100);
    completed(graph.invoke(Input.of(COUNT, 100L), options));
    // The machine may be busy with something else: the best of a few tries is what is claimed.
    var best = Duration.ofDays(1);
    for (int attempt = 0; attempt < 5 && best.toMillis() >= 300; attempt++) {
      long began = System.nanoTime();
      var done = completed(graph.invoke(Input.of(COUNT, 100L), options)).get(DONE);
      var took = Duration.ofNanos(System.nanoTime() - began);
      assertThat(done).hasSize(100);
      if (took.compareTo(best) < 0) best = took;
    }
    assertThat(best).isLessThan(Duration.ofMillis(300));
  }

  @Test
  @Tag("X14")
  void never_more_tasks_than_allowed_run_at_once() throws Exception {
    var now = new AtomicInteger();
    var most = new AtomicInteger();
    var graph =
        fanOut((n, _, _) -> {
          most.accumulateAndGet(now.incrementAndGet(), Math::max);
          for (int i = 0; i < 20; i++) Thread.yield();
          now.decrementAndGet();
          return Update.of(DONE, "r" + n);
        });
    completed(graph.invoke(Input.of(COUNT, 200L), RunOptions.defaults().concurrency(3)));
    assertThat(most.get()).isBetween(1, 3);
    most.set(0);
    completed(graph.invoke(Input.of(COUNT, 200L), RunOptions.defaults().concurrency(1)));
    assertThat(most).hasValue(1);
  }

  @Test
  void tasks_of_several_run_on_virtual_threads_and_one_alone_on_the_callers() throws Exception {
    Set<Boolean> kinds = ConcurrentHashMap.newKeySet();
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    var graph =
        fanOut((_, _, _) -> {
          kinds.add(Thread.currentThread().isVirtual());
          threads.add(Thread.currentThread());
          return NodeResult.nothing();
        });
    completed(graph.invoke(Input.of(COUNT, 5L)));
    assertThat(kinds).containsExactly(true);
    threads.clear();
    completed(graph.invoke(Input.of(COUNT, 1L)));
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  @Tag("X14")
  void results_come_in_sending_order_whichever_task_ends_first() throws Exception {
    int many = 20;
    var turn = new CountDownLatch[many + 1];
    for (int i = 0; i <= many; i++) turn[i] = new CountDownLatch(1);
    turn[many].countDown();
    var ended = Collections.synchronizedList(new ArrayList<Integer>());
    var graph =
        fanOut((n, _, _) -> {
          turn[n + 1].await();
          ended.add(n);
          turn[n].countDown();
          return Update.of(DONE, "r" + n);
        });
    var done = completed(graph.invoke(Input.of(COUNT, (long) many))).get(DONE);
    assertThat(ended).isSortedAccordingTo(Collections.reverseOrder());
    assertThat(done).hasSize(many).startsWith("r0", "r1").endsWith("r19");
  }

  @Test
  void a_thousand_runs_of_one_graph_at_once_keep_apart() throws Exception {
    int runs = 1_000;
    var allIn = new CountDownLatch(runs);
    var graph =
        Graph.named("shared")
            .channels(DONE, COUNT)
            .node(
                "meet",
                (state, context) -> {
                  allIn.countDown();
                  allIn.await();
                  return Update.of(DONE, context.run() + " " + state.get(COUNT));
                })
            .node("left", (state, _) -> Update.of(DONE, "left " + state.get(COUNT)))
            .node("right", (state, _) -> Update.of(DONE, "right " + state.get(COUNT)))
            .edge(START, "meet")
            .edge("meet", "left")
            .edge("meet", "right")
            .edge("left", END)
            .edge("right", END)
            .compile();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ends = new ArrayList<Future<List<String>>>();
      var heard = new ArrayList<List<Event>>();
      for (int i = 0; i < runs; i++) {
        long number = i;
        var events = new ArrayList<Event>();
        heard.add(events);
        var options = RunOptions.defaults().ids(() -> "run-" + number).listener(events::add);
        ends.add(
            threads.submit(
                () -> completed(graph.invoke(Input.of(COUNT, number), options)).get(DONE)));
      }
      for (int i = 0; i < runs; i++) {
        assertThat(ends.get(i).get())
            .containsExactly("run-" + i + " " + i, "left " + i, "right " + i);
        var run = "run-" + i;
        assertThat(heard.get(i)).hasSize(12).allMatch(event -> event.origin().run().equals(run));
      }
    }
  }
}
