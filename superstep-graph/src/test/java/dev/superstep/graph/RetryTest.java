package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.error.InvalidUse;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.RetryHint;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T85")
@Tag("E19")
@Tag("G11")
class RetryTest {
  private final List<Duration> waits = new CopyOnWriteArrayList<>();

  /// Fails so often, then writes the number of the attempt.
  static final class Flaky implements Node {
    final AtomicInteger runs = new AtomicInteger();
    final List<Integer> attempts = new CopyOnWriteArrayList<>();
    final List<Long> draws = new CopyOnWriteArrayList<>();
    private final int failures;
    private final Exception error;

    Flaky(int failures, Exception error) {
      this.failures = failures;
      this.error = error;
    }

    @Override
    public NodeResult run(dev.superstep.state.State state, NodeContext context) throws Exception {
      attempts.add(context.attempt());
      draws.add(context.random().nextLong());
      if (runs.incrementAndGet() <= failures) throw error;
      return Update.of(PATH, context.node() + context.attempt());
    }
  }

  static final class Busy extends Exception implements RetryHint {
    private static final long serialVersionUID = 1L;
    private final transient Duration after;

    Busy(Duration after) {
      this.after = after;
    }

    @Override
    public boolean isRetryable() {
      return true;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(after);
    }
  }

  static Graph graph(Node node, NodePolicy policy) {
    return Graph.named("retry")
        .channels(PATH)
        .node("a", node, policy)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  private static NodePolicy times(int attempts) {
    return NodePolicy.defaults().retry(Retry.of(attempts));
  }

  private RunOptions patient(RunOptions options) {
    return options.sleeper(waits::add);
  }

  private RunOptions patient() {
    return patient(RunOptions.defaults());
  }

  @Test
  void a_retried_node_runs_from_its_start_and_knows_its_attempt() throws Exception {
    var flaky = new Flaky(2, new IOException("no"));
    var state = completed(graph(flaky, times(4)).invoke(Input.none(), patient()));
    assertThat(state.get(PATH)).containsExactly("a3");
    assertThat(flaky.attempts).containsExactly(1, 2, 3);
    assertThat(waits).hasSize(2);
    assertThat(flaky.draws.stream().distinct()).hasSize(1);
  }

  @Test
  void the_limit_of_attempts_includes_the_first_and_the_error_has_their_number() {
    var flaky = new Flaky(9, new IOException("no"));
    var error =
        thrown(NodeFailed.class, () -> graph(flaky, times(4)).invoke(Input.none(), patient()));
    assertThat(flaky.runs).hasValue(4);
    assertThat(error.attempts()).isEqualTo(4);
    assertThat(error).hasMessageContaining("after 4 attempts").hasMessageContaining("no");
  }

  @Test
  @Tag("E5")
  @Tag("E12")
  void each_retry_is_published_before_the_wait() throws Exception {
    var events = new ArrayList<Event>();
    var graph = graph(new Flaky(1, new IOException("no")), times(2));
    graph.invoke(Input.none(), patient().listener(events::add));
    assertThat(kinds(events))
        .containsExactly(
            "run.started",
            "step.started [a]",
            "node.started a",
            "node.retried a 2",
            "node.finished a",
            "step.finished []",
            "run.completed");
    var retried = (Event.NodeRetried) events.get(3);
    assertThat(retried.delay()).isEqualTo(waits.getFirst());
    assertThat(retried.error()).isEqualTo("IOException: no");
    assertThat(retried.json().text()).contains("node.retried");
  }

  @Test
  void waits_grow_to_the_cap_and_are_the_same_whenever_the_run_is_repeated() throws Exception {
    var retry = Retry.of(5).backoff(Duration.ofMillis(100), 3, Duration.ofMillis(500));
    assertThat(retry.pause(1, 1)).isEqualTo(Duration.ofMillis(100));
    assertThat(retry.pause(2, 1)).isEqualTo(Duration.ofMillis(300));
    assertThat(retry.pause(3, 1)).isEqualTo(Duration.ofMillis(500));
    assertThat(retry.pause(900, 0.5)).isEqualTo(Duration.ofMillis(250));
    for (int i = 0; i < 2; i++) {
      graph(new Flaky(4, new IOException()), NodePolicy.defaults().retry(retry))
          .invoke(Input.none(), patient().ids(Runs.countingIds()));
    }
    assertThat(waits).hasSize(8);
    assertThat(waits.subList(0, 4)).isEqualTo(waits.subList(4, 8)).doesNotHaveDuplicates();
  }

  @Test
  @Tag("W27")
  void the_defaults_are_those_of_the_table() {
    var retry = Retry.of(4);
    assertThat(retry.base()).isEqualTo(Duration.ofMillis(200));
    assertThat(retry.factor()).isEqualTo(2);
    assertThat(retry.cap()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void a_hint_is_heeded_even_when_the_exception_was_wrapped() throws Exception {
    var busy = new RuntimeException(new Busy(Duration.ofSeconds(7)));
    graph(new Flaky(1, busy), times(2)).invoke(Input.none(), patient());
    assertThat(waits).containsExactly(Duration.ofSeconds(7));
  }

  @Test
  void a_hint_to_wait_longer_than_the_cap_ends_the_attempts() {
    var flaky = new Flaky(9, new Busy(Duration.ofHours(1)));
    thrown(NodeFailed.class, () -> graph(flaky, times(4)).invoke(Input.none(), patient()));
    assertThat(flaky.runs).hasValue(1);
    assertThat(waits).isEmpty();
  }

  @Test
  void mistakes_in_the_program_are_not_tried_again() {
    assertThat(Retry.isWorthwhile(new IOException())).isTrue();
    assertThat(Retry.isWorthwhile(new IllegalStateException())).isTrue();
    assertThat(Retry.isWorthwhile(new UncheckedIOException(new IOException()))).isTrue();
    assertThat(
            List.of(
                new NullPointerException(),
                new NumberFormatException(),
                new ArrayIndexOutOfBoundsException(),
                new ClassCastException(),
                new StackOverflowError(),
                new AssertionError(),
                new InterruptedException(),
                InvalidUse.returnedNull("a")))
        .noneMatch(Retry::isWorthwhile);
    var flaky = new Flaky(9, new IllegalArgumentException());
    thrown(NodeFailed.class, () -> graph(flaky, times(4)).invoke(Input.none(), patient()));
    assertThat(flaky.runs).hasValue(1);
  }

  @Test
  void a_predicate_decides_and_one_that_throws_fails_the_node() throws Exception {
    var npe = new Flaky(1, new NullPointerException());
    var always = NodePolicy.defaults().retry(Retry.of(2).when(_ -> true));
    completed(graph(npe, always).invoke(Input.none(), patient()));
    var broken =
        NodePolicy.defaults()
            .retry(
                Retry.of(2)
                    .when(_ -> {
                      throw new IllegalStateException("predicate");
                    }));
    var io = new IOException("first");
    var error =
        thrown(
            NodeFailed.class,
            () -> graph(new Flaky(9, io), broken).invoke(Input.none(), patient()));
    assertThat(error).hasMessageContaining("predicate");
    assertThat(error.getCause().getSuppressed()).containsExactly(io);
  }

  @Test
  void a_question_is_never_tried_again() throws Exception {
    var ask = Question.of("ask", String.class, String.class);
    var runs = new AtomicInteger();
    var graph =
        Graph.named("ask")
            .channels(PATH)
            .questions(ask)
            .node(
                "a",
                (_, context) -> {
                  if (runs.incrementAndGet() == 1) throw new IOException("no");
                  return Update.of(PATH, context.interrupt(ask, "?") + context.attempt());
                },
                NodePolicy.defaults()
                    .retry(Retry.of(9).when(_ -> true))
                    .onFailure(OnFailure.skip()))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = patient(kept());
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(runs).hasValue(2);
    var state = completed(graph.resume(Answers.of(open.id(), "x"), options));
    assertThat(state.get(PATH)).containsExactly("x1");
  }

  @Test
  @Tag("W61")
  void all_nodes_of_a_run_share_one_budget() {
    var a = new Flaky(99, new IOException());
    var graph =
        Graph.named("pair")
            .channels(PATH)
            .defaults(times(50))
            .node("a", a)
            .node("b", a)
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), patient().retryBudget(10)));
    assertThat(a.runs).hasValue(12);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunOptions.defaults().retryBudget(-1))
        .withMessageContaining("retryBudget");
  }

  @Test
  @Tag("T72")
  void a_node_s_own_policy_wins_over_the_default() {
    var flaky = new Flaky(9, new IOException());
    var graph =
        Graph.named("own")
            .channels(PATH)
            .node("a", flaky, NodePolicy.defaults().retry(Retry.never()))
            .edge(START, "a")
            .edge("a", END)
            .defaults(times(4))
            .compile();
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), patient()));
    assertThat(flaky.runs).hasValue(1);
  }

  @Test
  void cancelling_a_run_ends_the_wait_and_no_policy_takes_it_for_a_failure() throws Exception {
    var waiting = new CountDownLatch(1);
    var flaky = new Flaky(1, new IOException());
    var graph = graph(flaky, times(3).onFailure(OnFailure.skip()));
    var store = kept();
    var options =
        store.sleeper(_ -> {
          waiting.countDown();
          new CountDownLatch(1).await();
        });
    try (var run = graph.stream(Input.none(), options)) {
      waiting.await();
      run.cancel();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(completed(graph.resume(Answers.none(), store)).get(PATH)).containsExactly("a1");
  }

  @Test
  void bad_numbers_are_refused_by_name() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(0))
        .withMessageContaining("attempts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(2).backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(1)))
        .withMessageContaining("cap");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retry.of(2).backoff(Duration.ZERO, Double.NaN, Duration.ZERO))
        .withMessageContaining("factor");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodePolicy.defaults().timeout(Duration.ZERO))
        .withMessageContaining("timeout");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NodePolicy.defaults().concurrency(0))
        .withMessageContaining("concurrency");
  }
}
