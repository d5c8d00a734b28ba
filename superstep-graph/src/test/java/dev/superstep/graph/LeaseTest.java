package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Node;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// One process at a time is at work on a thread.
@Tag("A5")
final class LeaseTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);

  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private static Graph graph(Node node) {
    return Graph.named("g")
        .channels(SAID)
        .node("a", node)
        .node("b", (_, _) -> Update.of(SAID, "b"))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store);
  }

  @Test
  @Tag("R2b")
  void a_second_run_on_a_busy_thread_is_refused_with_the_lease_holder() throws Exception {
    var inside = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var run = new AtomicReference<String>();
    var graph =
        graph((_, context) -> {
          run.set(context.run());
          inside.countDown();
          goOn.await();
          return Update.of(SAID, "a");
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> graph.invoke(Input.none(), on(store)));
      inside.await();
      var busy = thrown(ThreadBusy.class, () -> graph.resume(Answers.none(), on(store)));
      assertThat(busy.thread()).isEqualTo("t");
      assertThat(busy.owner()).contains(run.get());
      thrown(ThreadBusy.class, () -> graph.invoke(Input.none(), on(store)));
      assertThat(graph.state(on(store)).orElseThrow().next()).containsExactly("a");
      goOn.countDown();
      assertThat(completed(first.get()).get(SAID)).containsExactly("a", "b");
    }
    assertThat(completed(graph.invoke(Input.none(), on(store))).get(SAID)).hasSize(4);
  }

  @Test
  void a_run_that_failed_gives_its_thread_back() throws Exception {
    var failing =
        graph((_, _) -> {
          throw new IllegalStateException("no");
        });
    thrown(NodeFailed.class, () -> failing.invoke(Input.none(), on(store)));
    var lease = store.acquire("t", "a test", Duration.ofSeconds(20));
    assertThat(lease.token()).isEqualTo(2);
  }

  @Test
  @Tag("A5")
  void the_thread_of_a_dead_process_can_be_acquired_after_its_lease_expires() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-05-01T10:00:00Z"));
    var timed = new InMemoryCheckpointer(now::get);
    timed.acquire("t", "one that died", Duration.ofSeconds(20));
    var graph = graph((_, _) -> Update.of(SAID, "a"));
    thrown(ThreadBusy.class, () -> graph.invoke(Input.none(), on(timed)));
    now.set(now.get().plusSeconds(20));
    assertThat(completed(graph.invoke(Input.none(), on(timed))).get(SAID)).hasSize(2);
  }

  @Test
  void a_run_that_lost_its_lease_writes_nothing_more() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-05-01T10:00:00Z"));
    var timed = new InMemoryCheckpointer(now::get);
    var graph =
        graph((_, _) -> {
          // It stands still for longer than its lease lasts, and another takes over.
          now.set(now.get().plusSeconds(21));
          timed.acquire("t", "another", Duration.ofSeconds(20));
          return Update.of(SAID, "late");
        });
    var lost = thrown(LeaseLost.class, () -> graph.invoke(Input.none(), on(timed)));
    assertThat(lost.lease().thread()).isEqualTo("t");
    var kept = graph.state(on(timed)).orElseThrow();
    assertThat(kept.next()).containsExactly("a");
    assertThat(kept.state().get(SAID)).isEmpty();
  }

  @Test
  void a_run_that_takes_longer_than_its_lease_renews_it() throws Exception {
    var renewals = new CountDownLatch(3);
    var watched =
        new ForwardingCheckpointer(store) {
          @Override
          public boolean renew(Lease lease, Duration time) {
            assertThat(time).isEqualTo(Duration.ofMillis(100));
            boolean cancelled = super.renew(lease, time);
            renewals.countDown();
            return cancelled;
          }
        };
    var graph =
        graph((_, _) -> {
          renewals.await();
          return Update.of(SAID, "a");
        });
    var options = on(watched).lease(Duration.ofMillis(100));
    assertThat(completed(graph.invoke(Input.none(), options)).get(SAID)).hasSize(2);
  }

  @Test
  @Tag("T92")
  void a_run_can_be_cancelled_from_another_process() throws Exception {
    var inside = new CountDownLatch(1);
    var forEver = new CountDownLatch(1);
    var times = new AtomicInteger();
    var graph =
        graph((_, _) -> {
          inside.countDown();
          if (times.incrementAndGet() == 1) forEver.await();
          return Update.of(SAID, "a");
        });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var options = on(store).lease(Duration.ofMillis(100));
      var run = threads.submit(() -> graph.invoke(Input.none(), options));
      inside.await();
      assertThat(store.requestCancel("t")).isTrue();
      var stopped = (Outcome.Stopped) run.get();
      assertThat(stopped.reason()).isEqualTo(Outcome.Reason.CANCELLED);
    }
    assertThat(store.requestCancel("t")).isFalse();
    assertThat(completed(graph.resume(Answers.none(), on(store))).get(SAID)).hasSize(2);
  }

  @Test
  void a_cancelled_run_leaves_no_interruption_behind() throws Exception {
    var graph =
        graph((_, _) -> {
          store.requestCancel("t");
          new CountDownLatch(1).await();
          return Update.of(SAID, "a");
        });
    var outcome = graph.invoke(Input.none(), on(store).lease(Duration.ofMillis(50)));
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void a_run_whose_lease_expired_briefly_still_sees_a_cancel() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-05-01T10:00:00Z"));
    var timed = new InMemoryCheckpointer(now::get);
    var asked = new AtomicReference<Boolean>();
    var graph =
        graph((_, _) -> {
          // The machine is slow, and nobody renewed the lease in time.
          now.set(now.get().plusSeconds(21));
          asked.set(timed.requestCancel("t"));
          new CountDownLatch(1).await();
          return Update.of(SAID, "a");
        });
    var outcome = graph.invoke(Input.none(), on(timed).lease(Duration.ofMillis(50)));
    assertThat(outcome).isInstanceOf(Outcome.Stopped.class);
    assertThat(asked.get()).isTrue();
  }

  @Test
  void a_subgraph_with_its_own_store_acquires_a_lease_there_too() throws Exception {
    var other = new InMemoryCheckpointer();
    other.acquire("t", "somebody", Duration.ofSeconds(20));
    var inner =
        Graph.named("inner")
            .channels(SAID)
            .node("in", (_, _) -> Update.of(SAID, "in"))
            .edge(START, "in")
            .edge("in", END)
            .compile();
    var graph =
        Graph.named("outer")
            .channels(SAID)
            .node("sub", Subgraph.shared(inner).checkpointer(other))
            .edge(START, "sub")
            .edge("sub", END)
            .compile();
    var failed = thrown(NodeFailed.class, () -> graph.invoke(Input.none(), on(store)));
    assertThat(failed).hasCauseInstanceOf(ThreadBusy.class);
  }

  @Test
  void a_run_waits_for_its_thread_until_the_run_that_holds_it_has_ended() throws Exception {
    var inside = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var graph =
        graph((_, _) -> {
          inside.countDown();
          goOn.await();
          return Update.of(SAID, "a");
        });
    var patient =
        on(store)
            .waitForLease(Duration.ofMinutes(1))
            .sleeper(time -> { // it was refused, and waits
              goOn.countDown();
              Thread.sleep(time);
            });
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> graph.invoke(Input.none(), on(store)));
      inside.await();
      var second = completed(graph.invoke(Input.none(), patient));
      assertThat(second.get(SAID)).containsExactly("a", "b", "a", "b");
      assertThat(completed(first.get()).get(SAID)).containsExactly("a", "b");
    }
  }

  @Test
  void a_run_resumes_a_thread_whose_dead_holder_never_gave_it_back() throws Exception {
    var graph = graph((_, _) -> Update.of(SAID, "a"));
    var breakpoints = on(store).breakpoints(Breakpoints.none().before("b"));
    assertThat(graph.invoke(Input.none(), breakpoints)).isNotInstanceOf(Outcome.Completed.class);
    store.acquire("t", "a process that was killed", Duration.ofMillis(300));
    var patient = on(store).waitForLease(Duration.ofMinutes(1));
    assertThat(completed(graph.resume(Answers.none(), patient)).get(SAID)).contains("a", "b");
  }

  @Test
  void a_run_that_has_waited_long_enough_is_refused() {
    var graph = graph((_, _) -> Update.of(SAID, "a"));
    store.acquire("t", "somebody", Duration.ofHours(1));
    var impatient = on(store).waitForLease(Duration.ofMillis(1));
    var busy = thrown(ThreadBusy.class, () -> graph.invoke(Input.none(), impatient));
    assertThat(busy.owner()).isEqualTo("somebody");
    assertThatThrownBy(() -> on(store).waitForLease(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_waiting_run_can_be_interrupted() {
    var graph = graph((_, _) -> Update.of(SAID, "a"));
    store.acquire("t", "somebody", Duration.ofHours(1));
    var patient =
        on(store)
            .waitForLease(Duration.ofHours(1))
            .sleeper(_ -> {
              throw new InterruptedException();
            });
    assertThatThrownBy(() -> graph.invoke(Input.none(), patient))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void leases_are_renewed_also_if_somebody_interrupts_every_thread() throws Exception {
    var renewed = new CountDownLatch(3);
    var counting =
        new ForwardingCheckpointer(store) {
          @Override
          public boolean renew(Lease lease, Duration time) {
            renewers().forEach(Thread::interrupt); // as a launcher does after `main`
            renewed.countDown();
            return super.renew(lease, time);
          }
        };
    var graph =
        graph((_, _) -> {
          renewed.await();
          return Update.of(SAID, "a");
        });
    var options = on(counting).lease(Duration.ofMillis(50));
    assertThat(completed(graph.invoke(Input.none(), options)).get(SAID)).containsExactly("a", "b");
  }

  private static List<Thread> renewers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("leases"))
        .toList();
  }
}
