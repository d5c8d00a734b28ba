package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.invalid;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.error.InvalidUse.Reason;
import dev.superstep.error.ItemTimedOut;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ParallelFailed;
import dev.superstep.graph.internal.execution.AttemptAbandoned;
import dev.superstep.node.ItemResult.Cancelled;
import dev.superstep.node.ItemResult.Failed;
import dev.superstep.node.ItemResult.Succeeded;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several things at once inside a node: order, bounds, policies, time.
@Tag("T86")
@Timeout(60)
class ParallelTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Duration SHORT = Duration.ofMillis(30);
  // Long enough for what is quick.
  private static final Duration LONGER = Duration.ofMillis(500);

  static Graph alone(Node node) {
    return Graph.named("alone")
        .channels(SAID)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  /// What a node may do with its context.
  @FunctionalInterface
  interface Body<T> {
    T run(NodeContext context) throws Exception;
  }

  /// What it returns, from a run of a node with it.
  static <T> T inNode(Body<T> body) throws InterruptedException {
    var result = new AtomicReference<T>();
    var graph =
        alone((_, context) -> {
          result.set(body.run(context));
          return NodeResult.nothing();
        });
    completed(graph.invoke(Input.none()));
    return result.get();
  }

  static ParallelFailed failed(Body<?> body) {
    var error = thrown(NodeFailed.class, () -> inNode(body));
    assertThat(error).hasCauseInstanceOf(ParallelFailed.class);
    return (ParallelFailed) error.getCause();
  }

  private static String forEver(CountDownLatch interrupted) throws InterruptedException {
    try {
      new CountDownLatch(1).await();
      return "never";
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }

  @Test
  void results_come_in_the_order_of_the_items_whoever_is_done_first() throws Exception {
    var items = List.of(0, 1, 2, 3);
    var done = items.stream().map(_ -> new CountDownLatch(1)).toList();
    var finished = new CopyOnWriteArrayList<Integer>();
    var results =
        inNode(context ->
            Parallel.over(items)
                .map(
                    context,
                    (item, _) -> {
                      if (item < 3) done.get(item + 1).await();
                      finished.add(item);
                      done.get(item).countDown();
                      return "r" + item;
                    }));
    assertThat(finished).containsExactly(3, 2, 1, 0);
    assertThat(results.succeeded()).containsExactly("r0", "r1", "r2", "r3");
    assertThat(results.<String>reduce("", (sum, one) -> sum + one)).isEqualTo("r0r1r2r3");
  }

  @Test
  void a_hundred_blocking_items_run_at_once_on_virtual_threads_named_like_the_others()
      throws Exception {
    var all = new CyclicBarrier(100);
    var results =
        inNode(context ->
            Parallel.over(IntStream.range(0, 100).boxed().toList())
                .map(
                    context,
                    (_, fork) -> {
                      all.await();
                      var thread = Thread.currentThread();
                      assertThat(thread.isVirtual()).isTrue();
                      assertThat(thread.getName()).isEqualTo("superstep-" + fork.run() + "-a");
                      return 1;
                    }));
    assertThat(results.<Integer>reduce(0, Integer::sum)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void no_more_run_at_once_than_allowed(int concurrency) throws Exception {
    var now = new AtomicInteger();
    var most = new AtomicInteger();
    var full = new CountDownLatch(concurrency);
    inNode(context ->
        Parallel.over(IntStream.range(0, 20).boxed().toList())
            .concurrency(concurrency)
            .map(
                context,
                (item, _) -> {
                  most.accumulateAndGet(now.incrementAndGet(), Math::max);
                  full.countDown();
                  full.await();
                  now.decrementAndGet();
                  return item;
                }));
    assertThat(most).hasValue(concurrency);
  }

  @Test
  void failures_are_results_unless_a_policy_says_otherwise() throws Exception {
    var results =
        inNode(context ->
            Parallel.over(List.of("a", "bad", "c"))
                .map(
                    context,
                    (item, _) -> {
                      if (item.equals("bad")) throw new IOException(item);
                      return item;
                    }));
    assertThat(results.all().get(0)).isEqualTo(new Succeeded<>("a"));
    assertThat(results.all().get(1)).isInstanceOf(Failed.class);
    assertThat(results.errors()).singleElement().isInstanceOf(IOException.class);
    assertThat(results.succeeded()).containsExactly("a", "c");
  }

  @Test
  void nothing_to_do_is_done() throws Exception {
    var results = inNode(context -> Parallel.over(List.of()).map(context, (_, _) -> "x"));
    assertThat(results.all()).isEmpty();
  }

  @Test
  void an_item_that_gives_null_has_failed() throws Exception {
    var results =
        inNode(context -> Parallel.over(List.of(1)).<String>map(context, (_, _) -> nothing()));
    assertThat(results.errors()).singleElement().isInstanceOf(NullPointerException.class);
  }

  @SuppressWarnings("NullAway") // It is what is tested.
  private static String nothing() {
    return null;
  }

  @Test
  void with_fail_fast_the_first_failure_stops_the_others() {
    var interrupted = new CountDownLatch(1);
    var begun = new CountDownLatch(1);
    var started = new AtomicInteger();
    var error =
        failed(context ->
            Parallel.over(List.of("slow", "bad", "never begun"))
                .concurrency(2)
                .failFast()
                .map(
                    context,
                    (item, _) -> {
                      started.incrementAndGet();
                      if (item.equals("slow")) {
                        begun.countDown();
                        return forEver(interrupted);
                      }
                      begun.await();
                      throw new IOException(item);
                    }));
    assertThat(error.reason()).isEqualTo(ParallelFailed.Reason.ITEM_FAILED);
    assertThat(error).hasCauseInstanceOf(IOException.class).hasMessageContaining("`a`");
    assertThat(interrupted.getCount()).isZero();
    assertThat(started).hasValue(2);
    assertThat(error.isRetryable()).isTrue();
  }

  @Test
  void a_quorum_is_enough() throws Exception {
    var interrupted = new CountDownLatch(1);
    var results =
        inNode(context ->
            Parallel.over(List.of("slow", "b", "c"))
                .quorum(2)
                .map(context, (item, _) -> item.equals("slow") ? forEver(interrupted) : item));
    assertThat(results.succeeded()).containsExactly("b", "c");
    assertThat(results.all().getFirst()).isInstanceOf(Cancelled.class);
    assertThat(interrupted.getCount()).isZero();
  }

  @Test
  void a_quorum_that_cannot_be_reached_is_an_error_with_every_cause() {
    var one = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    var error =
        failed(context ->
            Parallel.over(List.of("good", "x", "y", "slow"))
                .quorum(3)
                .map(
                    context,
                    (item, _) -> {
                      if (item.equals("good")) {
                        one.countDown();
                        return item;
                      }
                      if (item.equals("slow")) return forEver(interrupted);
                      one.await();
                      throw new IOException(item);
                    }));
    assertThat(error.reason()).isEqualTo(ParallelFailed.Reason.TOO_FEW_SUCCEEDED);
    assertThat(error.failed()).isEqualTo(2);
    assertThat(error.items()).isEqualTo(4);
    assertThat(error.getSuppressed()).hasSize(1);
    assertThat(interrupted.getCount()).isZero();
  }

  @Test
  void a_quorum_of_more_than_there_are_begins_nothing() {
    var started = new AtomicInteger();
    var error =
        failed(context ->
            Parallel.over(List.of("a"))
                .quorum(2)
                .map(context, (_, _) -> started.incrementAndGet()));
    assertThat(error.reason()).isEqualTo(ParallelFailed.Reason.TOO_FEW_SUCCEEDED);
    assertThat(started).hasValue(0);
  }

  @Test
  void an_item_that_takes_too_long_has_failed_and_the_others_have_not() throws Exception {
    var interrupted = new CountDownLatch(1);
    var results =
        inNode(context ->
            Parallel.over(List.of("slow", "quick"))
                .itemTimeout(LONGER)
                .map(context, (item, _) -> item.equals("slow") ? forEver(interrupted) : item));
    assertThat(results.errors())
        .singleElement()
        .isInstanceOfSatisfying(
            ItemTimedOut.class,
            e -> {
              assertThat(e.index()).isZero();
              assertThat(e.limit()).isEqualTo(LONGER);
              assertThat(e.isTotal()).isFalse();
            });
    assertThat(results.succeeded()).containsExactly("quick");
    interrupted.await();
  }

  @Test
  void an_item_that_ignores_its_interruption_is_abandoned_and_has_no_further_effect()
      throws Exception {
    var release = new CountDownLatch(1);
    var after = new AtomicInteger();
    var thrown = new AtomicReference<Throwable>();
    var ended = new CountDownLatch(1);
    var results =
        inNode(context ->
            Parallel.over(List.of("deaf"))
                .itemTimeout(SHORT)
                .map(
                    context,
                    (item, fork) -> {
                      while (release.getCount() > 0) Thread.onSpinWait();
                      assertThat(fork.hasListeners()).isFalse();
                      try {
                        fork.step("late", after::incrementAndGet);
                      } catch (Throwable e) {
                        thrown.set(e);
                      }
                      ended.countDown();
                      return item;
                    }));
    assertThat(results.errors()).singleElement().isInstanceOf(ItemTimedOut.class);
    release.countDown();
    ended.await();
    assertThat(thrown.get()).isInstanceOf(AttemptAbandoned.class);
    assertThat(after).hasValue(0);
  }

  @Test
  void when_the_time_for_all_is_over_that_is_an_error() throws Exception {
    var interrupted = new CountDownLatch(1);
    var error =
        failed(context ->
            Parallel.over(List.of("slow", "not begun"))
                .concurrency(1)
                .totalTimeout(SHORT)
                .map(context, (_, _) -> forEver(interrupted)));
    assertThat(error.reason()).isEqualTo(ParallelFailed.Reason.OUT_OF_TIME);
    assertThat(error)
        .cause()
        .isInstanceOfSatisfying(ItemTimedOut.class, e -> assertThat(e.isTotal()).isTrue());
    interrupted.await();
  }

  @Test
  void with_best_effort_the_end_of_time_is_the_end() throws Exception {
    var interrupted = new CountDownLatch(1);
    var results =
        inNode(context ->
            Parallel.over(List.of("quick", "slow", "not begun"))
                .concurrency(1)
                .totalTimeout(LONGER)
                .bestEffort()
                .map(context, (item, _) -> item.equals("quick") ? item : forEver(interrupted)));
    assertThat(results.succeeded()).containsExactly("quick");
    assertThat(results.all().get(1)).isInstanceOf(Failed.class);
    assertThat(results.all().get(2)).isInstanceOf(Cancelled.class);
  }

  @Test
  void the_first_to_succeed_wins_a_race_and_the_others_are_cancelled_and_waited_for()
      throws Exception {
    var begun = new CountDownLatch(4);
    var interrupted = new CountDownLatch(3);
    var winner =
        inNode(context ->
            Parallel.over(List.of("bad", "slow", "quick", "slow", "slow"))
                .race(
                    context,
                    (item, _) -> {
                      if (item.equals("bad")) throw new IOException(item);
                      begun.countDown();
                      if (!item.equals("quick")) return forEver(interrupted);
                      begun.await();
                      return item;
                    }));
    assertThat(winner).isEqualTo("quick");
    assertThat(interrupted.getCount()).isZero();
  }

  @Test
  void a_race_that_all_lose_is_an_error_with_every_cause() {
    var error =
        failed(context ->
            Parallel.over(List.of("x", "y", "z"))
                .race(
                    context,
                    (item, _) -> {
                      throw new IOException(item);
                    }));
    assertThat(error.failed()).isEqualTo(3);
    assertThat(error.getSuppressed()).hasSize(2);
  }

  @Test
  void items_that_throw_the_same_exception_report_it_once() {
    var same = new IOException("same");
    var error =
        failed(context ->
            Parallel.over(List.of(1, 2))
                .race(
                    context,
                    (_, _) -> {
                      throw same;
                    }));
    assertThat(error).hasCause(same);
    assertThat(error.getSuppressed()).isEmpty();
  }

  @Test
  @Tag("T46")
  void cancelling_the_run_interrupts_the_items() throws Exception {
    var begun = new CountDownLatch(3);
    var interrupted = new CountDownLatch(3);
    var graph =
        alone((_, context) -> {
          Parallel.over(List.of(1, 2, 3))
              .map(
                  context,
                  (_, _) -> {
                    begun.countDown();
                    return forEver(interrupted);
                  });
          return NodeResult.nothing();
        });
    try (var stream = graph.stream(Input.none(), RunOptions.defaults())) {
      begun.await();
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(interrupted.getCount()).isZero();
  }

  @Test
  void a_deadline_of_the_run_interrupts_the_items() throws Exception {
    var interrupted = new CountDownLatch(2);
    var graph =
        alone((_, context) -> {
          Parallel.over(List.of(1, 2)).map(context, (_, _) -> forEver(interrupted));
          return NodeResult.nothing();
        });
    var outcome = graph.invoke(Input.none(), RunOptions.defaults().deadline(LONGER));
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    interrupted.await();
  }

  @Test
  @Tag("T87")
  void a_fork_has_an_id_and_random_numbers_of_its_own_the_same_in_every_run() throws Exception {
    Body<List<String>> drawing =
        context ->
            Parallel.over(List.of(1, 2))
                .map(
                    context,
                    (_, fork) -> {
                      assertThat(fork.task()).startsWith(context.task());
                      var place = fork.task().substring(context.task().length());
                      return place + " " + fork.random().nextInt() + fork.node() + fork.attempt();
                    })
                .succeeded();
    var graph = new AtomicReference<List<String>>();
    var options = RunOptions.defaults().ids(() -> "id");
    for (int i = 0; i < 2; i++) {
      var drawn = new AtomicReference<List<String>>();
      var program =
          alone((_, context) -> {
            drawn.set(drawing.run(context));
            return NodeResult.nothing();
          });
      completed(program.invoke(Input.none(), options));
      assertThat(new HashSet<>(drawn.get())).hasSize(2);
      var before = graph.getAndSet(drawn.get());
      if (i > 0) assertThat(drawn.get()).isEqualTo(before);
    }
  }

  @Test
  @Tag("T87")
  void an_item_that_uses_the_context_of_its_node_gets_an_error() throws Exception {
    var results =
        inNode(context ->
            Parallel.over(List.of(1))
                .map(context, (_, _) -> context.step("x", String.class, () -> "x")));
    assertThat(results.errors()).singleElement().satisfies(invalid(Reason.CONTEXT_SHARED));
  }

  @Test
  void bounds_must_be_positive() {
    var items = Parallel.over(List.of(1));
    assertThatIllegalArgumentException().isThrownBy(() -> items.concurrency(0));
    assertThatIllegalArgumentException().isThrownBy(() -> items.quorum(0));
    assertThatIllegalArgumentException().isThrownBy(() -> items.itemTimeout(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> items.totalTimeout(Duration.ZERO));
  }
}
