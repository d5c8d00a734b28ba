package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.event.Event;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// In a run with dataflow, nodes begin ahead of their superstep; nothing else changes.
@Tag("LG5.4")
@Timeout(60)
class DataflowTest {
  static final Channel<Long, Long> A = Channel.latest("a", Long.class);
  static final Channel<Long, Long> A2 = Channel.latest("a2", Long.class);
  static final Channel<Long, Long> A3 = Channel.latest("a3", Long.class);
  static final Channel<Long, Long> S = Channel.latest("s", Long.class);
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  /// What a slow node waits for.
  static void await(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(20, TimeUnit.SECONDS)) throw new IllegalStateException("waited in vain");
  }

  /// `a -> a2 -> a3` beside `slow`.
  static GraphBuilder branches(Node slow, Node a3) {
    return Graph.named("branches")
        .channels(A, A2, A3, S, LOG)
        .node("slow", slow)
        .node("a", (_, _) -> Update.of(A, 1L))
        .node("a2", (state, _) -> Update.of(A2, state.get(A) + 1))
        .node("a3", a3)
        .reads("slow")
        .writes("slow", S)
        .reads("a")
        .writes("a", A)
        .reads("a2", A)
        .writes("a2", A2)
        .reads("a3", A2)
        .writes("a3", A3)
        .edge(START, "slow")
        .edge(START, "a")
        .edge("a", "a2")
        .edge("a2", "a3")
        .edge("a3", END)
        .edge("slow", END);
  }

  @Test
  void a_fast_branch_does_not_wait_for_a_slow_one() throws Exception {
    for (var options : List.of(RunOptions.defaults(), kept())) {
      var over = new CountDownLatch(1);
      var graph =
          branches(
                  (_, _) -> {
                    await(over);
                    return Update.of(S, 9L);
                  },
                  (state, _) -> {
                    over.countDown();
                    return Update.of(A3, state.get(A2) + 1);
                  })
              .compile();
      var state = completed(graph.invoke(Input.none(), options.dataflow()));
      assertThat(state.get(A3)).isEqualTo(3);
      assertThat(state.get(S)).isEqualTo(9);
      assertThat(state.version(A3)).isEqualTo(1);
    }
  }

  @Test
  void without_dataflow_it_waits() {
    var graph =
        branches(
                (_, _) -> {
                  if (new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS)) return null;
                  throw new IllegalStateException("waited in vain");
                },
                (_, _) -> Update.of(A3, 1L))
            .compile();
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.none()));
    assertThat(failed).hasMessageContaining("waited in vain");
  }

  static List<String> history(RunOptions options) {
    var store = options.checkpointer().orElseThrow();
    var pages = store.page(Lineage.of("t"), Optional.empty(), 100);
    var shown = new ArrayList<String>();
    for (var checkpoint : pages.reversed()) shown.add(show(checkpoint));
    return shown;
  }

  private static String show(Checkpoint c) {
    return c.step() + " " + c.progress().ran() + " -> " + c.progress().next();
  }

  @Test
  void the_checkpoints_are_those_of_the_supersteps() throws Exception {
    var plain = kept();
    var ahead = kept();
    var graph =
        branches((_, _) -> Update.of(S, 1L), (state, _) -> Update.of(A3, state.get(A2))).compile();
    completed(graph.invoke(Input.none(), plain));
    completed(graph.invoke(Input.none(), ahead.dataflow()));
    assertThat(history(ahead)).isEqualTo(history(plain)).hasSize(4);
  }

  @Test
  void events_of_early_tasks_are_published_immediately_with_their_own_step() throws Exception {
    var over = new CountDownLatch(1);
    var graph =
        branches(
                (_, _) -> {
                  await(over);
                  return Update.of(S, 9L);
                },
                (_, _) -> Update.of(A3, 1L))
            .compile();
    var heard = Collections.synchronizedList(new ArrayList<String>());
    var options =
        kept()
            .dataflow()
            .listener(event -> {
              switch (event) {
                // A sibling, which may begin before or after the other has finished.
                case Event.NodeStarted e when e.node().equals("slow") -> {}
                case Event.NodeStarted e -> heard.add(e.origin().step() + " start " + e.node());
                case Event.NodeFinished e -> {
                  heard.add(e.origin().step() + " finish " + e.node());
                  if (e.node().equals("a3")) over.countDown();
                }
                case Event.StepStarted e -> heard.add(e.origin().step() + " step " + e.nodes());
                case Event.StepFinished e -> heard.add(e.origin().step() + " over " + e.next());
                case Event.RunCompleted e -> heard.add(e.origin().step() + " completed");
                default -> {}
              }
            });
    completed(graph.invoke(Input.none(), options));
    assertThat(heard.subList(heard.indexOf("1 finish a"), heard.size()))
        .containsExactly(
            "1 finish a",
            "2 start a2",
            "2 finish a2",
            "3 start a3",
            "3 finish a3",
            "1 finish slow",
            "1 over [a2]",
            "2 step [a2]",
            "2 over [a3]",
            "3 step [a3]",
            "3 over []",
            "3 completed");
  }

  /// A graph where `second` follows `first`, and `slow` says whether it saw it run.
  private static boolean ranAhead(GraphBuilder extra) throws Exception {
    var seen = new CountDownLatch(1);
    var ahead = new AtomicInteger();
    extra
        .node(
            "slow",
            (_, _) -> {
              if (seen.await(200, TimeUnit.MILLISECONDS)) ahead.incrementAndGet();
              return Update.of(S, 1L);
            })
        .node("first", (_, _) -> Update.of(A, 1L))
        .node(
            "second",
            (state, _) -> {
              seen.countDown();
              return Update.of(A2, state.get(A));
            })
        .edge(START, "slow")
        .edge(START, "first")
        .edge("slow", END)
        .edge("second", END);
    completed(extra.compile().invoke(Input.none(), RunOptions.defaults().dataflow()));
    return ahead.get() > 0;
  }

  private static GraphBuilder graph() {
    return Graph.named("g").channels(A, A2, A3, S, LOG);
  }

  @Test
  void a_task_waits_for_channels_that_a_slow_node_may_still_write() throws Exception {
    assertThat(ranAhead(graph().edge("first", "second").writes("slow", S).reads("second", A)))
        .isTrue();
    assertThat(ranAhead(graph().edge("first", "second").writes("slow", S, A).reads("second", A)))
        .isFalse();
    assertThat(ranAhead(graph().edge("first", "second").writes("slow", S).reads("second", A, S)))
        .isFalse();
    assertThat(ranAhead(graph().edge("first", "second").reads("second", A))).isFalse();
    assertThat(ranAhead(graph().edge("first", "second").writes("slow", S))).isFalse();
  }

  @Test
  void a_node_that_a_router_chooses_is_not_certain() throws Exception {
    var routed = graph().route("first", _ -> "second", "second", END);
    assertThat(ranAhead(routed.writes("slow", S).reads("second", A))).isFalse();
  }

  @Test
  void a_task_waits_for_a_slow_node_that_also_leads_to_it() throws Exception {
    // It would be the reason why `second` runs.
    var both = graph().edge("first", "second").edge("slow", "second");
    assertThat(ranAhead(both.writes("slow", S).reads("second", A))).isFalse();
  }

  @Test
  void a_later_task_waits_for_the_successors_of_a_slow_node() throws Exception {
    for (boolean writes : new boolean[] {false, true}) {
      var over = new CountDownLatch(1);
      var ahead = new AtomicInteger();
      var graph =
          branches(
                  (_, _) -> {
                    if (over.await(200, TimeUnit.MILLISECONDS)) ahead.incrementAndGet();
                    return Update.of(S, 9L);
                  },
                  (state, _) -> {
                    over.countDown();
                    return Update.of(A3, state.get(A2) + 1);
                  })
              .node("after", (_, _) -> NodeResult.nothing())
              .route("slow", _ -> END, "after", END)
              .edge("after", END)
              .writes("after", writes ? A2 : S)
              .compile();
      completed(graph.invoke(Input.none(), RunOptions.defaults().dataflow()));
      // `after` might run beside `a2` and write what `a3` reads.
      assertThat(ahead.get()).isEqualTo(writes ? 0 : 1);
    }
  }

  @Test
  void concurrency_counts_the_tasks_of_all_supersteps() throws Exception {
    for (int concurrency : new int[] {1, 2, 64}) {
      var now = new AtomicInteger();
      var most = new AtomicInteger();
      Node work =
          (_, _) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.yield();
            now.decrementAndGet();
            return Update.of(LOG, "x");
          };
      var builder = graph();
      for (int branch = 0; branch < 8; branch++) {
        for (int i = 0; i < 5; i++) {
          var name = "n" + branch + "-" + i;
          builder.node(name, work).reads(name).writes(name, LOG);
          builder.edge(i == 0 ? START : "n" + branch + "-" + (i - 1), name);
        }
        builder.edge("n" + branch + "-4", END);
      }
      var options = RunOptions.defaults().dataflow().concurrency(concurrency);
      var state = completed(builder.compile().invoke(Input.none(), options));
      assertThat(state.get(LOG)).hasSize(40);
      assertThat(most.get()).isBetween(1, concurrency);
    }
  }

  @Test
  void the_step_limit_applies_to_early_tasks() {
    var ran = new AtomicInteger();
    var graph =
        branches(
                (_, _) -> Update.of(S, 1L),
                (_, _) -> {
                  ran.incrementAndGet();
                  return Update.of(A3, 1L);
                })
            .compile();
    var options = RunOptions.defaults().dataflow().stepLimit(2);
    thrown(StepLimitReached.class, () -> graph.invoke(Input.none(), options));
    assertThat(ran.get()).isZero();
  }

  @Test
  void a_cancelled_run_interrupts_early_tasks() throws Exception {
    var began = new CountDownLatch(2);
    var interrupted = new AtomicInteger();
    Node stuck =
        (_, _) -> {
          began.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
          }
          return NodeResult.nothing();
        };
    var graph = branches(stuck, stuck).compile();
    var options = kept().dataflow();
    try (var stream = graph.stream(Input.none(), options)) {
      await(began);
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(interrupted.get()).isEqualTo(2);
  }

  @Test
  void a_failure_of_an_early_task_is_reported_in_its_own_superstep() throws Exception {
    var over = new CountDownLatch(1);
    var slowEnded = new AtomicInteger();
    var graph =
        branches(
                (_, _) -> {
                  await(over);
                  slowEnded.incrementAndGet();
                  return Update.of(S, 1L);
                },
                (_, _) -> {
                  over.countDown();
                  throw new IllegalArgumentException("no");
                })
            .compile();
    var options = kept().dataflow();
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(failed.step()).isEqualTo(3);
    assertThat(slowEnded.get()).isEqualTo(1);
    assertThat(history(options)).hasSize(3);
  }

  @Test
  void when_a_superstep_fails_early_tasks_finish_and_do_not_run_again() throws Exception {
    var a3Ran = new AtomicInteger();
    var slowRan = new AtomicInteger();
    var a3Began = new CountDownLatch(1);
    var slowOver = new CountDownLatch(1);
    Node slow =
        (_, _) -> {
          await(a3Began);
          if (slowRan.incrementAndGet() == 1) throw new IllegalArgumentException("first time");
          return Update.of(S, 1L);
        };
    Node a3 =
        (state, _) -> {
          a3Ran.incrementAndGet();
          a3Began.countDown();
          await(slowOver);
          return Update.of(A3, state.get(A2) + 1);
        };
    var options =
        kept()
            .dataflow()
            .listener(event -> {
              if (event instanceof Event.NodeFailed) slowOver.countDown();
            });
    var graph = branches(slow, a3).compile();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    assertThat(a3Ran.get()).isEqualTo(1);
    assertThat(history(options)).hasSize(1);
    // Whether the resuming run goes ahead or not, what had finished does not run again.
    var plain = RunOptions.thread("t").checkpoints(options.checkpointer().orElseThrow());
    State state = completed(branches(slow, a3).compile().resume(Answers.none(), plain));
    assertThat(state.get(A3)).isEqualTo(3);
    assertThat(a3Ran.get()).isEqualTo(1);
    assertThat(slowRan.get()).isEqualTo(2);
    assertThat(history(options)).hasSize(4);
  }

  static final Question<String, Boolean> OK = Question.of("ok", String.class, Boolean.class);

  @Test
  void a_question_of_an_early_task_is_asked_in_its_own_superstep() throws Exception {
    var over = new CountDownLatch(1);
    var asked = new AtomicInteger();
    var heard = Collections.synchronizedList(new ArrayList<String>());
    Node slow =
        (_, _) -> {
          await(over);
          return Update.of(S, 1L);
        };
    Node a3 =
        (_, context) -> {
          asked.incrementAndGet();
          over.countDown();
          return Update.of(A3, context.interrupt(OK, "?") ? 1L : 0L);
        };
    var options =
        kept()
            .dataflow()
            .listener(event -> {
              switch (event) {
                case Event.InterruptRaised e -> heard.add("raised " + e.origin().step());
                case Event.StepStarted e -> heard.add("step " + e.origin().step());
                default -> {}
              }
            });
    var graph = branches(slow, a3).questions(OK).compile();
    var question = Runs.asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(heard).containsExactly("step 1", "step 2", "step 3", "raised 3");
    assertThat(asked.get()).isEqualTo(1);
    var answered = graph.resume(Answers.of(question.id(), true), options);
    assertThat(completed(answered).get(A3)).isEqualTo(1);
    assertThat(asked.get()).isEqualTo(2);
  }

  @Test
  void an_early_task_sees_the_same_folded_state_as_in_its_superstep() throws Exception {
    var over = new CountDownLatch(1);
    var seen = Collections.synchronizedList(new ArrayList<String>());
    var graph =
        graph()
            .node(
                "slow",
                (_, _) -> {
                  await(over);
                  return Update.of(S, 1L);
                })
            .node("x", (_, _) -> Update.of(LOG, "x"))
            .node("y", (_, _) -> Update.of(LOG, "y"))
            .node(
                "sees",
                (state, _) -> {
                  seen.add(state.get(LOG) + " v" + state.version(LOG));
                  over.countDown();
                  return Update.of(LOG, "sees");
                })
            .writes("slow", S)
            .writes("x", LOG)
            .writes("y", LOG)
            .reads("sees", LOG)
            .edge(START, "slow")
            .edge(START, "y")
            .edge(START, "x")
            .edge("slow", END)
            .edge("x", "sees")
            .edge("y", "sees")
            .edge("sees", END)
            .compile();
    var state = completed(graph.invoke(Input.of(LOG, "first"), RunOptions.defaults().dataflow()));
    assertThat(seen).containsExactly("[first, x, y] v2");
    assertThat(state.get(LOG)).containsExactly("first", "x", "y", "sees");
  }
}
