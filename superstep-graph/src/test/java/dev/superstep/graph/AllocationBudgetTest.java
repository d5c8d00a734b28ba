package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Holds the bytes that supersteps, parks and resumes ask for. Code that is compiled further asks
/// for less: JMH has those figures (`./superstep bench --jmh`). Each limit is a tenth above what
/// was measured when it was set; lower it with the figure.
final class AllocationBudgetTest {
  private static final int ROUNDS = 7;
  private static final int STEPS = 1_000;
  private static final int SENDS = 1_000;
  private static final int THREADS = 500;
  private static final int PARKED = 10_000;

  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Channel<String, String> ABOUT = Channel.latest("about", String.class);
  private static final Channel<Long, Long> SUM = Channel.sum("sum");
  private static final Target<Integer> EACH = Target.of("each", Integer.class);
  private static final Question<String, Long> MORE = Question.of("more", String.class, Long.class);

  private static final Graph LOOP =
      Graph.named("loop")
          .channels(N)
          .node("count", (state, _) -> Update.of(N, state.get(N) + 1))
          .edge(START, "count")
          .route("count", state -> state.get(N) < STEPS ? "count" : END, "count", END)
          .compile();

  /// The graph of W5 in the benchmarks.
  private static final Graph ASKING =
      Graph.named("asking")
          .channels(N, ABOUT)
          .questions(MORE)
          .node("draft", (state, _) -> Update.of(N, state.get(N) + 1))
          .node(
              "ask",
              (state, context) ->
                  Update.of(N, state.get(N) + context.interrupt(MORE, state.get(ABOUT))))
          .edge(START, "draft")
          .edge("draft", "ask")
          .edge("ask", END)
          .compile();

  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  /// The least that a round of work allocated on all threads: others of this process can only add.
  private static long allocated(Work work) throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long before = threads.getTotalThreadAllocatedBytes();
      work.run();
      least = Math.min(least, threads.getTotalThreadAllocatedBytes() - before);
    }
    return least;
  }

  private static void count(RunOptions options) throws Exception {
    var state = completed(LOOP.invoke(Input.of(N, 0L), options.stepLimit(STEPS + 1)));
    assertThat(state.get(N)).isEqualTo(STEPS);
  }

  /// A store that keeps values as they are, as it does outside of tests.
  private static InMemoryCheckpointer store() {
    return new InMemoryCheckpointer(InstantSource.system(), false);
  }

  private static RunOptions thread(int number, InMemoryCheckpointer store) {
    return RunOptions.thread("thread-" + number).checkpoints(store);
  }

  private static void park(InMemoryCheckpointer store, int threads) throws Exception {
    for (int i = 0; i < threads; i++) {
      var input = Input.of(N, 0L).and(ABOUT, "thing " + i);
      var outcome = ASKING.invoke(input, thread(i, store));
      if (!(outcome instanceof Outcome.Interrupted)) throw new AssertionError(outcome);
    }
  }

  @Test
  void a_superstep_that_is_kept_nowhere_stays_within_its_budget() throws Exception {
    long bytes = allocated(() -> count(RunOptions.defaults())) / STEPS;
    assertThat(bytes).isBetween(1L, 1_520L);
  }

  @Test
  void a_superstep_that_is_kept_in_memory_stays_within_its_budget() throws Exception {
    long bytes = allocated(() -> count(thread(0, store()))) / STEPS;
    assertThat(bytes).isBetween(1L, 3_370L);
  }

  @Test
  void a_send_stays_within_its_budget() throws Exception {
    var graph =
        Graph.named("fan")
            .channels(SUM)
            .node("plan", (_, _) -> NodeResult.nothing())
            .node(EACH, (n, _, _) -> Update.of(SUM, (long) n))
            .edge(START, "plan")
            .fanOut("plan", _ -> sends(), EACH)
            .edge("each", END)
            .compile();
    long bytes =
        allocated(() -> {
          var state = completed(graph.invoke(Input.none()));
          assertThat(state.get(SUM)).isEqualTo(SENDS * (SENDS - 1L) / 2);
        })
            / SENDS;
    assertThat(bytes).isBetween(1L, 780L);
  }

  private static List<Send<?>> sends() {
    var sends = new ArrayList<Send<?>>(SENDS);
    for (int i = 0; i < SENDS; i++) sends.add(Send.to(EACH, i));
    return sends;
  }

  @Test
  void a_park_in_memory_stays_within_its_budget() throws Exception {
    long bytes = allocated(() -> park(store(), THREADS)) / THREADS;
    assertThat(bytes).isBetween(1L, 14_000L);
  }

  @Test
  void a_resume_in_memory_stays_within_its_budget() throws Exception {
    var stores = new ArrayList<InMemoryCheckpointer>();
    for (int i = 0; i < ROUNDS; i++) {
      var store = store();
      park(store, THREADS);
      stores.add(store);
    }
    long bytes =
        allocated(() -> {
          var store = stores.removeFirst();
          for (int i = 0; i < THREADS; i++) {
            var outcome = ASKING.resume(Answers.to(MORE, 1L), thread(i, store));
            if (outcome instanceof Outcome.Completed(var end) && end.get(N) == 2) continue;
            throw new AssertionError(outcome);
          }
        })
            / THREADS;
    assertThat(bytes).isBetween(1L, 14_000L);
  }

  @Test
  void a_waiting_thread_stays_within_its_heap() throws Exception {
    park(store(), THREADS);
    var store = store();
    long before = used();
    park(store, PARKED);
    long bytes = (used() - before) / PARKED;
    assertThat(bytes).isBetween(1L, 1_260L);
    assertThat(store.find("thread-0")).isPresent();
  }

  /// The bytes that are still in use after collections.
  private static long used() {
    long least = Long.MAX_VALUE;
    var runtime = Runtime.getRuntime();
    for (int i = 0; i < ROUNDS; i++) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
