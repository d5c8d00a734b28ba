package dev.superstep.event;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.event.StoreMetrics.Call;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G32")
class StoreMetricsTest {
  private static final Channel<Long, Long> N = Channel.latest("n", Long.class);
  private static final Duration STEP = Duration.ofMillis(3);

  // Each look at the clock finds it three milliseconds later.
  private final AtomicLong now = new AtomicLong();
  private final StoreMetrics metrics = new StoreMetrics(() -> now.getAndAdd(STEP.toNanos()));

  @Test
  void loads_saves_and_leases_are_counted_apart_with_how_long_they_took() {
    var store = metrics.measuring(new InMemoryCheckpointer());
    var lease = store.acquire("t", "me", Duration.ofMinutes(1));
    store.renew(lease, Duration.ofMinutes(1));
    store.capability(EventJournal.class).orElseThrow().append(lease, List.of());
    CombinedCalls.of(store).threadRecord(Lineage.of("t"));
    store.latest(Lineage.of("t"));
    store.release(lease);

    var counted = metrics.snapshot();
    assertThat(counted.times().get(Call.LEASE).count()).isEqualTo(3);
    assertThat(counted.times().get(Call.SAVE).count()).isEqualTo(1);
    assertThat(counted.times().get(Call.LOAD).count()).isEqualTo(2);
    assertThat(counted.times().get(Call.LOAD).total()).isEqualTo(STEP.multipliedBy(2));
    assertThat(counted.times().get(Call.LOAD).within(1)).isEqualTo(STEP);
    assertThat(counted.failures()).isEmpty();
  }

  @Test
  void failures_are_counted_by_code_and_still_thrown() {
    var store = metrics.measuring(new InMemoryCheckpointer());
    store.acquire("t", "first", Duration.ofMinutes(1));
    assertThatExceptionOfType(ThreadBusy.class)
        .isThrownBy(() -> store.acquire("t", "second", Duration.ofMinutes(1)));
    assertThat(metrics.snapshot().failures()).isEqualTo(Map.of("thread.busy", 1L));
    assertThat(metrics.snapshot().times().get(Call.LEASE).count()).isEqualTo(2);
  }

  @Test
  void a_run_takes_its_thread_once_and_saves_each_checkpoint() throws Exception {
    var store = metrics.measuring(new InMemoryCheckpointer());
    var graph =
        Graph.named("twice")
            .channels(N)
            .node("a", (state, _) -> Update.of(N, state.get(N) + 1))
            .node("b", (state, _) -> Update.of(N, state.get(N) + 1))
            .edge(START, "a")
            .edge("a", "b")
            .edge("b", END)
            .compile();
    var outcome = graph.invoke(Input.of(N, 0L), RunOptions.thread("t").checkpoints(store));
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);

    var times = metrics.snapshot().times();
    // How it stands comes with it, and the last checkpoint gives it back.
    assertThat(times.get(Call.LEASE).count()).isEqualTo(1);
    assertThat(times.get(Call.LOAD).count()).isZero();
    // The input, and two supersteps of one task each.
    assertThat(times.get(Call.SAVE).count()).isEqualTo(3);
    assertThat(store.page(Lineage.of("t"), java.util.Optional.empty(), 10)).hasSize(3);
  }
}
