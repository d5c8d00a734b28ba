package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Once asked to stop, a run starts nothing more, whoever swallows what.
@Timeout(60)
class LatchedCancellationTest {
  private static final Channel<Long, Long> RAN = Channel.sum("ran");
  private static final Target<Integer> SPIN = Target.of("spin", Integer.class);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final AtomicInteger nodes = new AtomicInteger();
  private final AtomicInteger effects = new AtomicInteger();

  /// Swallows its interruption, and then does what it was not asked to do any more.
  private NodeResult swallow(NodeContext context) {
    nodes.incrementAndGet();
    begun.countDown();
    swallowed();
    for (int i = 0; i < 3; i++) {
      try {
        context.step("again " + i, Integer.class, effects::incrementAndGet);
      } catch (Exception _) {
        // And it goes on.
      }
    }
    return Update.of(RAN, 1L);
  }

  /// As libraries do; whoever interrupted has done so when this returns.
  private void swallowed() {
    boolean isAsked = false;
    while (!isAsked) {
      try {
        asked.await();
        isAsked = true;
      } catch (InterruptedException _) {
        // And it goes on.
      }
    }
  }

  private Graph looping() {
    return Graph.named("looping")
        .channels(RAN)
        .node("swallow", (_, context) -> swallow(context))
        .edge(START, "swallow")
        .route("swallow", s -> s.get(RAN) < 10 ? "swallow" : END, "swallow", END)
        .compile();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_interruption_of_the_caller_that_a_node_swallows_stops_the_run(boolean kept)
      throws Exception {
    var options =
        kept
            ? RunOptions.thread("t").checkpoints(new InMemoryCheckpointer())
            : RunOptions.defaults();
    var work = new FutureTask<>(() -> looping().invoke(Input.none(), options));
    var caller = Thread.ofPlatform().start(work);
    begun.await();
    caller.interrupt();
    asked.countDown();
    var why = catchThrowable(work::get);
    assertThat(why).hasCauseInstanceOf(InterruptedException.class);
    assertThat(nodes).hasValue(1);
    assertThat(effects).hasValue(0);
  }

  /// Lets the node go on once the run was asked.
  private ForwardingCheckpointer seen(InMemoryCheckpointer store) {
    return new ForwardingCheckpointer(store) {
      private boolean isSeen;

      @Override
      public boolean renew(Lease lease, Duration time) {
        // The beat after that which tells of the request: the run was interrupted in between.
        if (isSeen) asked.countDown();
        isSeen = super.renew(lease, time);
        return isSeen;
      }
    };
  }

  @Test
  void a_request_to_cancel_that_a_node_swallows_stops_the_run() throws Exception {
    var store = new InMemoryCheckpointer();
    // It is asked by the renewal of its lease.
    var options = RunOptions.thread("t").checkpoints(seen(store)).lease(Duration.ofMillis(200));
    var work = new FutureTask<>(() -> looping().invoke(Input.none(), options));
    Thread.ofPlatform().start(work);
    begun.await();
    assertThat(Threads.in(store).cancel("t")).isTrue();
    assertThat(work.get()).isInstanceOf(Outcome.Stopped.class);
    assertThat(nodes).hasValue(1);
    assertThat(effects).hasValue(0);
  }

  @Test
  void a_stream_that_is_cancelled_starts_nothing_more() throws Exception {
    try (var stream = looping().stream(Input.none(), RunOptions.defaults())) {
      begun.await();
      stream.cancel();
      asked.countDown();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    assertThat(nodes).hasValue(1);
    assertThat(effects).hasValue(0);
  }

  @Test
  void a_stream_that_is_cancelled_does_not_wait_for_a_node_and_names_it() throws Exception {
    var over = new AtomicBoolean();
    var ended = new CountDownLatch(1);
    var graph =
        Graph.named("stubborn")
            .node(
                "stubborn",
                (_, _) -> {
                  begun.countDown();
                  while (!over.get()) Thread.onSpinWait();
                  ended.countDown();
                  return NodeResult.nothing();
                })
            .edge(START, "stubborn")
            .edge("stubborn", END)
            .compile();
    try (var stream = graph.stream(Input.none(), RunOptions.defaults())) {
      begun.await();
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
      assertThat(stream.abandonedNodes()).containsExactly("stubborn");
    } finally {
      over.set(true);
      ended.await();
    }
  }

  @Test
  void no_item_begins_after_the_interruption_was_swallowed() throws Exception {
    var graph =
        Graph.named("items")
            .node(
                "items",
                (_, context) -> {
                  begun.countDown();
                  swallowed();
                  Parallel.over(List.of(1, 2, 3)).map(context, (_, _) -> effects.incrementAndGet());
                  return NodeResult.nothing();
                })
            .edge(START, "items")
            .edge("items", END)
            .compile();
    var work = new FutureTask<>(() -> graph.invoke(Input.none()));
    var caller = Thread.ofPlatform().start(work);
    begun.await();
    caller.interrupt();
    asked.countDown();
    assertThat(catchThrowable(work::get)).hasCauseInstanceOf(InterruptedException.class);
    assertThat(effects).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_deadline_holds_although_nodes_compute_that_look_at_no_interruption(int times)
      throws Exception {
    int many = times * Runtime.getRuntime().availableProcessors();
    var over = new AtomicBoolean();
    var graph =
        Graph.named("spinning")
            .node(
                SPIN,
                (_, _, _) -> {
                  while (!over.get()) Thread.onSpinWait();
                  return NodeResult.nothing();
                })
            .fanOut(START, _ -> Collections.<Send<?>>nCopies(many, Send.to(SPIN, 0)), SPIN)
            .edge("spin", END)
            .compile();
    var options = RunOptions.defaults().deadline(Duration.ofMillis(100));
    try {
      // The nodes end after that, so to wait for them is to wait for ever.
      var outcome = graph.invoke(Input.none(), options);
      assertThat(((Outcome.Stopped) outcome).reason()).isEqualTo(Outcome.Reason.DEADLINE);
      try (var stream = graph.stream(Input.none(), options)) {
        assertThat(((Outcome.Stopped) stream.outcome()).reason())
            .isEqualTo(Outcome.Reason.DEADLINE);
      }
    } finally {
      over.set(true);
    }
  }
}
