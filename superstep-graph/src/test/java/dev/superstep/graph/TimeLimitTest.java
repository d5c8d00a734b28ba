package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.error.NodeFailed;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.execution.AttemptDeadline;
import dev.superstep.graph.internal.kernel.PolicySettings;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("T85")
@Tag("G21")
@Tag("W26")
@Timeout(60)
@Tag("E15")
class TimeLimitTest {
  static final Duration SOON = Duration.ofMillis(30);
  // For what has to be done in time, on however busy a machine.
  private static final Duration UNHURRIED = Duration.ofSeconds(1);
  static final Duration LONG = Duration.ofMinutes(5);

  /// Opened when a test is over, so that nodes left behind end.
  private final CountDownLatch gate = new CountDownLatch(1);

  @org.junit.jupiter.api.AfterEach
  void open() {
    gate.countDown();
  }

  private static Graph graph(Node node, NodePolicy policy) {
    return RetryTest.graph(node, policy);
  }

  private static NodePolicy within(Duration timeout) {
    return NodePolicy.defaults().timeout(timeout);
  }

  /// Waits, whatever interrupts it.
  private void stubborn() {
    while (gate.getCount() > 0) {
      try {
        gate.await();
      } catch (InterruptedException _) {
        // On purpose.
      }
    }
  }

  @Test
  void a_node_that_takes_too_long_is_interrupted_and_fails() {
    var interrupted = new CountDownLatch(1);
    var error =
        thrown(
            NodeFailed.class,
            () ->
                graph(
                        (_, _) -> {
                          try {
                            gate.await();
                          } catch (InterruptedException e) {
                            interrupted.countDown();
                            throw e;
                          }
                          return NodeResult.nothing();
                        },
                        within(SOON))
                    .invoke(Input.none()));
    assertThat(error).hasCauseInstanceOf(NodeTimedOut.class).hasMessageContaining("PT0.03S");
    assertThat(((NodeTimedOut) error.getCause()).isIdle()).isFalse();
    assertThat(interrupted.getCount()).isZero();
  }

  @Test
  void a_timed_out_attempt_is_retried_and_its_later_effects_are_dropped() throws Exception {
    var events = new CopyOnWriteArrayList<Event>();
    var left = new AtomicReference<Thread>();
    var graph =
        graph(
            (_, context) -> {
              if (context.attempt() == 1) {
                left.set(Thread.currentThread());
                stubborn();
                context.emit("late", "late");
              }
              return Update.of(PATH, "attempt " + context.attempt());
            },
            within(UNHURRIED).retry(Retry.of(2)));
    var options = kept().sleeper(_ -> {}).listener(events::add);
    assertThat(completed(graph.invoke(Input.none(), options)).get(PATH))
        .containsExactly("attempt 2");
    gate.countDown();
    left.get().join();
    assertThat(events).noneMatch(Event.NodeEmitted.class::isInstance);
    assertThat(graph.state(options).orElseThrow().state().get(PATH)).containsExactly("attempt 2");
  }

  @Test
  void siblings_of_a_node_that_never_returns_are_saved() {
    var graph =
        Graph.named("pair")
            .channels(PATH)
            .node(
                "never",
                (_, _) -> {
                  stubborn();
                  return Update.of(PATH, "never");
                },
                within(SOON).onFailure(OnFailure.fallback(Update.of(PATH, "gave up"))))
            .node("b", (_, _) -> Update.of(PATH, "b"))
            .edge(START, "never")
            .edge(START, "b")
            .edge("never", END)
            .edge("b", END)
            .compile();
    assertThat(run(graph, kept())).containsExactly("gave up", "b");
  }

  @Test
  void a_node_without_heartbeats_fails_as_idle() {
    var policy = within(LONG).idleTimeout(SOON);
    Node silent =
        (_, context) -> {
          context.heartbeat();
          gate.await();
          return NodeResult.nothing();
        };
    var error = thrown(NodeFailed.class, () -> graph(silent, policy).invoke(Input.none()));
    assertThat(((NodeTimedOut) error.getCause()).isIdle()).isTrue();
    assertThat(error).hasMessageContaining("context.heartbeat()");
  }

  @Test
  void heartbeats_extend_the_idle_timeout_but_not_the_run_timeout() {
    var policy =
        PolicySettings.NOTHING.with(p -> {
          p.timeout = Duration.ofNanos(100);
          p.idleTimeout = Duration.ofNanos(30);
        });
    var watch = new AttemptDeadline(policy.timeout(), policy.idleTimeout(), 1_000);
    assertThat(watch.nanosLeft(1_000)).isEqualTo(30);
    assertThat(watch.nanosLeft(1_030)).isZero();
    watch.sign(1_020);
    assertThat(watch.nanosLeft(1_030)).isEqualTo(20);
    watch.sign(1_090);
    assertThat(watch.nanosLeft(1_095)).isEqualTo(5);
    assertThat(watch.error("a", 1_099).isIdle()).isTrue();
    assertThat(watch.error("a", 1_100).isIdle()).isFalse();
    assertThat(new AttemptDeadline((Duration) null, null, 0).nanosLeft(Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_node_within_its_limits_is_not_disturbed() throws Exception {
    var endless = Duration.ofSeconds(Long.MAX_VALUE);
    var graph =
        graph(
            (_, context) -> {
              context.heartbeat();
              context.emit("x", 1);
              return Update.of(PATH, Thread.currentThread().isVirtual() ? "virtual" : "own");
            },
            within(endless).idleTimeout(endless));
    assertThat(run(graph, RunOptions.defaults())).containsExactly("virtual");
  }

  @Test
  void an_exception_or_error_within_the_limits_is_reported_unchanged() {
    Node throwing =
        (_, _) -> {
          throw new IOException("no");
        };
    assertThat(thrown(NodeFailed.class, () -> graph(throwing, within(LONG)).invoke(Input.none())))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void cancelling_a_run_abandons_a_node_that_ignores_the_interrupt() throws Exception {
    var in = new CountDownLatch(1);
    var graph =
        graph(
            (_, _) -> {
              in.countDown();
              stubborn();
              return Update.of(PATH, "late");
            },
            within(LONG));
    var options = kept();
    try (var run = graph.stream(Input.none(), options)) {
      in.await();
      run.cancel();
      var stopped = (Outcome.Stopped) run.outcome();
      assertThat(stopped.reason()).isEqualTo(Outcome.Reason.CANCELLED);
    }
    gate.countDown();
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH)).containsExactly("late");
  }

  @Test
  void the_deadline_of_a_run_ends_blocked_tasks_and_the_thread_can_be_resumed() throws Exception {
    var runs = new AtomicInteger();
    var graph =
        Graph.named("blocked")
            .channels(PATH)
            .node("first", (_, _) -> Update.of(PATH, "first"))
            .node(
                "blocks",
                (_, _) -> {
                  if (runs.incrementAndGet() == 1) stubborn();
                  return Update.of(PATH, "done");
                },
                NodePolicy.defaults().onFailure(OnFailure.skip()).retry(Retry.of(4)))
            .node("quick", (_, _) -> Update.of(PATH, "quick"))
            .edge(START, "first")
            .edge("first", "blocks")
            .edge("first", "quick")
            .edge("blocks", END)
            .edge("quick", END)
            .compile();
    var options = kept();
    long began = System.nanoTime();
    var stopped =
        (Outcome.Stopped) graph.invoke(Input.none(), options.deadline(Duration.ofSeconds(1)));
    var took = Duration.ofNanos(System.nanoTime() - began);
    assertThat(stopped.reason()).isEqualTo(Outcome.Reason.DEADLINE);
    assertThat(stopped.state().get(PATH)).containsExactly("first");
    assertThat(took).isLessThan(Duration.ofSeconds(5));
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
        .containsExactly("first", "done", "quick");
  }

  @Test
  void the_deadline_ends_a_run_that_never_blocks_between_two_supersteps() throws Exception {
    var graph =
        Graph.named("spin")
            .channels(PATH)
            .node("spin", (_, _) -> NodeResult.nothing())
            .edge(START, "spin")
            .route("spin", _ -> "spin", "spin", END)
            .compile();
    var options = RunOptions.defaults().stepLimit(1_000_000_000).deadline(SOON);
    var stopped = (Outcome.Stopped) graph.invoke(Input.none(), options);
    assertThat(stopped.reason()).isEqualTo(Outcome.Reason.DEADLINE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.deadline(Duration.ZERO))
        .withMessageContaining("deadline");
  }

  /// Whichever of the threads that wait for it notices the deadline first.
  @Test
  @Tag("T85")
  void the_deadline_stops_graphs_inside_graphs_every_time_also_on_busy_processors()
      throws Exception {
    Graph graph =
        FailureTest.alone((_, _) -> {
          new CountDownLatch(1).await();
          return NodeResult.nothing();
        });
    for (int i = 0; i < 3; i++) {
      graph =
          Graph.named("outer" + i)
              .channels(PATH)
              .node("inner", Subgraph.shared(graph))
              .edge(START, "inner")
              .edge("inner", END)
              .compile();
    }
    var isOver = new AtomicBoolean();
    var busy = new ArrayList<Thread>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      busy.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                while (!isOver.get()) Thread.onSpinWait();
              }));
    }
    try {
      for (int i = 0; i < 60; i++) {
        var options = kept().deadline(Duration.ofMillis(3));
        assertThat(graph.invoke(Input.none(), options))
            .isInstanceOfSatisfying(
                Outcome.Stopped.class,
                stopped -> assertThat(stopped.reason()).isEqualTo(Outcome.Reason.DEADLINE));
      }
    } finally {
      isOver.set(true);
      for (var thread : busy) thread.join();
    }
  }

  @Test
  void a_wait_past_the_deadline_does_not_begin() throws Exception {
    var waits = new CopyOnWriteArrayList<Duration>();
    var patient = Retry.of(2).backoff(LONG, 1, LONG.multipliedBy(2));
    var flaky = new RetryTest.Flaky(1, new RetryTest.Busy(LONG));
    var graph = graph(flaky, NodePolicy.defaults().retry(patient));
    var options = kept().sleeper(waits::add);
    var outcome = graph.invoke(Input.none(), options.deadline(LONG));
    assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DEADLINE);
    assertThat(waits).isEmpty();
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH)).containsExactly("a1");
  }

  @Test
  void a_drained_run_ends_after_the_superstep_at_work_and_can_be_resumed() throws Exception {
    var in = new CountDownLatch(1);
    var graph =
        Graph.named("drain")
            .channels(PATH)
            .node(
                "a",
                (_, _) -> {
                  in.countDown();
                  gate.await();
                  return Update.of(PATH, "a");
                })
            .node("b", (_, _) -> Update.of(PATH, "b"))
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    var options = kept();
    try (var run = graph.stream(Input.none(), options)) {
      in.await();
      run.drain();
      gate.countDown();
      var stopped = (Outcome.Stopped) run.outcome();
      assertThat(stopped.reason()).isEqualTo(Outcome.Reason.DRAINED);
      assertThat(stopped.state().get(PATH)).containsExactly("a");
      run.drain();
    }
    assertThat(graph.state(options).orElseThrow().next()).containsExactly("b");
    assertThat(completed(graph.resume(Answers.none(), options)).get(PATH))
        .containsExactly("a", "b");
  }

  private static List<String> run(Graph graph, RunOptions options) {
    try {
      return completed(graph.invoke(Input.none(), options)).get(PATH);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
