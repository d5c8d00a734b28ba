package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.flow.Both;
import dev.superstep.flow.Flow;
import dev.superstep.flow.FlowLimits;
import dev.superstep.flow.FlowOutcome.Done;
import dev.superstep.flow.FlowOutcome.Suspended;
import dev.superstep.flow.FlowSnapshot;
import dev.superstep.flow.FlowStep.Continue;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Answers;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Typed flows whose threads are in databases.
@Tag("P33")
class FlowThreadTest {
  record Order(int items) {}

  record Priced(int cents) {}

  record Offer(int cents) {}

  record Accepted(boolean yes) {}

  record Item(int number) {}

  record Packed(int number) {}

  record Parcel(int pieces) {}

  record Receipt(String text) {}

  private static final List<Integer> PACKED = new CopyOnWriteArrayList<>();

  private static final Flow<Order, Receipt> SELL =
      Flow.named("sell", Order.class, Receipt.class)
          .fork(
              Order.class,
              Priced.class,
              Item.class,
              o -> Both.of(new Priced(100 * o.items()), new Item(o.items())))
          .map(Priced.class, Offer.class, p -> new Offer(p.cents()))
          .suspend(Offer.class, Accepted.class)
          .each(
              Item.class,
              i -> IntStream.range(0, i.number()).mapToObj(Packing::new).toList(),
              Flow.of("pack", Packing.class, Packed.class, (p, _) -> packed(p.number())),
              Parcel.class,
              (_, all) -> new Parcel(all.size()))
          .join(
              Accepted.class,
              Parcel.class,
              Receipt.class,
              (a, p) -> new Receipt(a.yes() ? p.pieces() + " sent" : "nothing sent"))
          .build();

  record Packing(int number) {}

  @TempDir private Path folder;

  private static Packed packed(int number) {
    PACKED.add(number);
    return new Packed(number);
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread("order-17").checkpoints(store);
  }

  @Test
  void a_flow_continues_in_another_process_one_transition_at_a_time() throws InterruptedException {
    PACKED.clear();
    var file = folder.resolve("flows.db");
    try (var store = SqliteCheckpointer.open(file)) {
      var run = SELL.start(new Order(3), on(store));
      for (int i = 0; i < 4; i++) assertThat(run.next()).isInstanceOf(Continue.class);
    }
    assertThat(PACKED).containsExactly(0);
    try (var store = SqliteCheckpointer.open(file)) {
      var run = SELL.reopen(on(store));
      assertThat(run.runUntil(FlowLimits.none())).isInstanceOf(Suspended.class);
    }
    try (var store = SqliteCheckpointer.open(file)) {
      var run = SELL.reopen(on(store));
      run.resume("Offer", new Accepted(true));
      assertThat(run.runUntil(FlowLimits.none())).isEqualTo(new Done<>(new Receipt("3 sent")));
    }
    assertThat(PACKED).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void whole_and_stepwise_runs_save_interchangeable_threads() throws InterruptedException {
    PACKED.clear();
    try (var store = SqliteCheckpointer.open(folder.resolve("flows.db"))) {
      assertThat(SELL.run(new Order(2), on(store))).isInstanceOf(Suspended.class);
      var run = SELL.reopen(on(store));
      run.resume("Offer", new Accepted(false));
      var end = SELL.resume(Answers.none(), on(store));
      assertThat(end.output()).isEqualTo(new Receipt("nothing sent"));
    }
    assertThat(PACKED).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void a_snapshot_goes_from_one_store_to_another() throws InterruptedException {
    PACKED.clear();
    String snapshot;
    try (var store = SqliteCheckpointer.open(folder.resolve("flows.db"))) {
      var run = SELL.start(new Order(3), on(store));
      for (int i = 0; i < 5; i++) run.next();
      snapshot = run.snapshot().json();
    }
    try (var pool = Postgres.pool(PostgresServer.shared().freshDatabase())) {
      PostgresCheckpointer.migrate(pool);
      try (var store = PostgresCheckpointer.on(pool)) {
        var run = SELL.fromSnapshot(FlowSnapshot.parse(snapshot), on(store));
        assertThat(run.snapshot().json()).isEqualTo(snapshot);
        assertThat(run.runUntil(FlowLimits.none())).isInstanceOf(Suspended.class);
        run.resume("Offer", new Accepted(true));
        assertThat(run.runUntil(FlowLimits.none())).isEqualTo(new Done<>(new Receipt("3 sent")));
      }
    }
    assertThat(PACKED).containsExactlyInAnyOrder(0, 1, 2);
  }
}
