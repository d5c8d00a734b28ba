package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.event.Event;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Rate;
import dev.superstep.node.Retry;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("G17")
@Timeout(60)
class RateTest {
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  static final Target<Integer> OTHER = Target.of("other", Integer.class);
  static final Duration SECOND = Duration.ofSeconds(1);
  static final Rate HOURLY = Rate.of(1, Duration.ofHours(1));

  /// Moves its clock when it is asked to sleep.
  static final class Time {
    final AtomicReference<Instant> now =
        new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));
    final List<Duration> slept = Collections.synchronizedList(new ArrayList<>());

    RunOptions on(RunOptions options) {
      return options
          .clock(now::get)
          .sleeper(time -> {
            slept.add(time);
            now.updateAndGet(t -> t.plus(time));
          });
    }
  }

  private final Time time = new Time();
  private final List<String> begun = Collections.synchronizedList(new ArrayList<>());
  private final List<Instant> at = new ArrayList<>();

  private static List<Send<?>> sends(Target<Integer> target, int count) {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < count; i++) sends.add(Send.to(target, i));
    return sends;
  }

  private static List<Send<?>> both(int items, int others) {
    var both = sends(ITEM, items);
    both.addAll(sends(OTHER, others));
    return both;
  }

  /// Items with a policy, and others without.
  private Graph graph(NodePolicy policy, int items, int others) {
    return Graph.named("paced")
        .channels(PATH)
        .node(
            ITEM,
            (n, _, _) -> {
              begun.add("item " + n);
              return Update.of(PATH, "item " + n);
            },
            policy)
        .node(
            OTHER,
            (n, _, _) -> {
              begun.add("other " + n);
              return Update.of(PATH, "other " + n);
            })
        .fanOut(START, _ -> both(items, others), ITEM, OTHER)
        .edge("item", END)
        .edge("other", END)
        .compile();
  }

  private static NodePolicy rate(int times, Duration window) {
    return NodePolicy.defaults().rate(Rate.of(times, window));
  }

  @Test
  void no_window_sees_more_beginnings_than_the_rate_allows() throws Exception {
    var graph =
        Graph.named("paced")
            .channels(PATH)
            .node(
                ITEM,
                (n, _, context) -> {
                  at.add(context.clock().instant());
                  // Work takes time, too.
                  time.now.updateAndGet(t -> t.plusMillis(n * 7 % 50));
                  return NodeResult.nothing();
                },
                rate(10, SECOND))
            .fanOut(START, _ -> sends(ITEM, 100), ITEM)
            .edge("item", END)
            .compile();
    completed(graph.invoke(Input.none(), time.on(RunOptions.defaults().concurrency(1))));
    assertThat(at).hasSize(100);
    for (int i = 10; i < at.size(); i++) {
      assertThat(Duration.between(at.get(i - 10), at.get(i))).isGreaterThanOrEqualTo(SECOND);
    }
  }

  @Test
  void the_result_and_the_time_waited_do_not_depend_on_concurrency() throws Exception {
    var free = completed(graph(NodePolicy.defaults(), 25, 5).invoke(Input.none())).get(PATH);
    for (int concurrency : new int[] {1, 3, 64}) {
      var fresh = new Time();
      var options = fresh.on(RunOptions.defaults().concurrency(concurrency));
      var state = completed(graph(rate(10, SECOND), 25, 5).invoke(Input.none(), options));
      assertThat(state.get(PATH)).isEqualTo(free);
      assertThat(fresh.slept).containsExactly(SECOND, SECOND);
    }
  }

  @Test
  void a_clock_that_does_not_advance_blocks_no_task_forever() throws Exception {
    var options = RunOptions.defaults().clock(() -> Instant.EPOCH).sleeper(_ -> {});
    var graph = graph(NodePolicy.defaults().rate(HOURLY), 20, 0);
    assertThat(completed(graph.invoke(Input.none(), options)).get(PATH)).hasSize(20);
  }

  @Test
  void a_clock_that_is_put_back_costs_one_window_at_most() throws Exception {
    var graph =
        Graph.named("back")
            .channels(PATH)
            .node(
                ITEM,
                (_, _, _) -> {
                  time.now.updateAndGet(t -> t.minus(Duration.ofDays(1)));
                  return NodeResult.nothing();
                },
                NodePolicy.defaults().rate(HOURLY))
            .fanOut(START, _ -> sends(ITEM, 4), ITEM)
            .edge("item", END)
            .compile();
    completed(graph.invoke(Input.none(), time.on(RunOptions.defaults().concurrency(1))));
    assertThat(time.slept).hasSize(3).containsOnly(HOURLY.window());
  }

  @Test
  void tasks_that_wait_for_their_rate_do_not_delay_others() throws Exception {
    var options = time.on(RunOptions.defaults().concurrency(1));
    var graph = graph(NodePolicy.defaults().rate(HOURLY), 3, 2);
    assertThat(completed(graph.invoke(Input.none(), options)).get(PATH)).hasSize(5);
    assertThat(begun).containsExactly("item 0", "other 0", "other 1", "item 1", "item 2");
  }

  @Test
  void others_begin_while_someone_waits_for_a_rate() throws Exception {
    var others = new CountDownLatch(20);
    var options =
        time.on(RunOptions.defaults().concurrency(2))
            .sleeper(wait -> {
              others.await();
              time.now.updateAndGet(t -> t.plus(wait));
            })
            .listener(event -> {
              if (event instanceof Event.NodeFinished f && f.node().equals("other")) {
                others.countDown();
              }
            });
    var graph = graph(NodePolicy.defaults().rate(HOURLY), 3, 20);
    assertThat(completed(graph.invoke(Input.none(), options)).get(PATH)).hasSize(23);
    // The first item had its turn, but may have been slow to use it.
    var late = begun.stream().filter(one -> !one.equals("item 0")).toList();
    assertThat(late.subList(20, 22)).containsExactlyInAnyOrder("item 1", "item 2");
  }

  @Test
  void retries_come_under_the_rate() throws Exception {
    var runs = new AtomicInteger();
    var zero = Duration.ZERO;
    var policy = rate(1, SECOND).retry(Retry.of(3).backoff(zero, 1, zero));
    var graph =
        Graph.named("retried")
            .channels(PATH)
            .node(
                "a",
                (_, _) -> {
                  if (runs.incrementAndGet() < 3) throw new IOException("no");
                  return NodeResult.nothing();
                },
                policy)
            .edge(START, "a")
            .edge("a", END)
            .compile();
    completed(graph.invoke(Input.none(), time.on(RunOptions.defaults())));
    assertThat(time.slept).containsExactly(zero, SECOND, zero, SECOND);
  }

  @Test
  void the_rate_of_a_run_covers_all_its_tasks_and_those_inside() throws Exception {
    Node nothing = (_, _) -> NodeResult.nothing();
    var inner =
        Graph.named("inner")
            .node("x", nothing)
            .node("y", nothing)
            .edge(START, "x")
            .edge("x", "y")
            .edge("y", END)
            .compile();
    var outer =
        Graph.named("outer")
            .node("inner", Subgraph.<State>of(inner, _ -> Input.none(), _ -> NodeResult.nothing()))
            .node("z", nothing)
            .edge(START, "inner")
            .edge(START, "z")
            .edge("inner", END)
            .edge("z", END)
            .compile();
    var options = time.on(RunOptions.defaults().rate(Rate.of(1, SECOND)).concurrency(1));
    completed(outer.invoke(Input.none(), options));
    assertThat(time.slept).containsExactly(SECOND, SECOND, SECOND);
  }

  @Test
  void the_rate_of_a_node_spans_supersteps() throws Exception {
    var turns = new AtomicInteger();
    var graph =
        Graph.named("loop")
            .node(
                "a",
                (_, _) -> {
                  turns.incrementAndGet();
                  return NodeResult.nothing();
                },
                rate(2, SECOND))
            .edge(START, "a")
            .route("a", _ -> turns.get() < 5 ? "a" : END, "a", END)
            .compile();
    completed(graph.invoke(Input.none(), time.on(RunOptions.defaults())));
    assertThat(time.slept).containsExactly(SECOND, SECOND);
  }

  @Test
  void cached_results_come_under_no_rate() throws Exception {
    var cache = InMemoryNodeCache.holding(100);
    var policy = NodePolicy.defaults().rate(HOURLY).cache(CachePolicy.byArgument());
    var once = graph(policy, 2, 0);
    var options = time.on(RunOptions.defaults().cache(cache));
    completed(once.invoke(Input.none(), options.concurrency(1)));
    assertThat(time.slept).containsExactly(HOURLY.window());
    for (int concurrency : new int[] {1, 64}) {
      time.slept.clear();
      begun.clear();
      cache.clear("paced", "unknown");
      var four = graph(policy, 4, 0);
      completed(four.invoke(Input.none(), options.concurrency(concurrency)));
      assertThat(begun).containsExactlyInAnyOrder("item 2", "item 3");
      // A task counts while its cached result is looked up, so one beside it may wait once more.
      int lookups = Math.min(concurrency - 1, 2);
      assertThat(time.slept).hasSizeBetween(1, 1 + lookups).containsOnly(HOURLY.window());
      cache.clear("paced", "item");
      completed(once.invoke(Input.none(), options));
    }
    time.slept.clear();
    completed(graph(policy, 1, 0).invoke(Input.none(), options));
    assertThat(time.slept).isEmpty();
  }

  @Test
  void a_wait_beyond_the_deadline_ends_the_run_immediately() throws Exception {
    for (int items : new int[] {1, 3}) {
      var options = kept();
      var policy = NodePolicy.defaults().rate(HOURLY);
      var first =
          Graph.named("late")
              .channels(PATH)
              .node(ITEM, (n, _, _) -> Update.of(PATH, "item " + n), policy)
              .route(
                  "item", state -> state.get(PATH).size() < 2 * items ? "again" : END, "again", END)
              .node("again", (_, _) -> NodeResult.nothing())
              .fanOut("again", _ -> sends(ITEM, items), ITEM)
              .fanOut(START, _ -> sends(ITEM, items), ITEM)
              .compile();
      var outcome = first.invoke(Input.none(), options.deadline(Duration.ofMinutes(10)));
      assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
      assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DEADLINE);
      var rest = first.resume(Answers.none(), time.on(options));
      assertThat(completed(rest).get(PATH)).hasSize(2 * items);
    }
  }

  @Test
  void cancelling_a_run_ends_the_wait_for_a_rate() throws Exception {
    for (int items : new int[] {1, 3}) {
      var began = new CountDownLatch(1);
      var waits = new CountDownLatch(1);
      var graph =
          Graph.named("cancelled")
              .channels(PATH)
              .node(ITEM, (n, _, _) -> Update.of(PATH, "item " + n))
              .fanOut(START, _ -> sends(ITEM, items), ITEM)
              .route("item", _ -> "last", "last")
              .node("last", (_, _) -> Update.of(PATH, "last"))
              .edge("last", END)
              .compile();
      var interrupted = new AtomicInteger();
      var thread = kept().rate(HOURLY);
      var options =
          thread
              .listener(_ -> began.countDown())
              .sleeper(_ -> {
                waits.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  interrupted.incrementAndGet();
                  throw e;
                }
              });
      try (var run = graph.stream(Input.none(), options)) {
        began.await();
        waits.await();
        run.cancel();
        assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
      }
      assertThat(interrupted).hasValue(1);
      var rest = graph.resume(Answers.none(), time.on(thread));
      assertThat(completed(rest).get(PATH)).hasSize(items + 1);
    }
  }

  @Test
  void an_invalid_rate_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Rate.of(0, SECOND));
    assertThatIllegalArgumentException().isThrownBy(() -> Rate.of(1, Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> Rate.of(1, Duration.ofDays(400)));
  }
}
