package dev.superstep.store.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.run.Durability;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.Property;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A model that words each call anew after its thread was restored: nothing that cannot be undone
/// happens a second time unless a person said so, and no approval comes back to life.
/// `-Dsuperstep.restores` sets how many plans are played on each store.
@Timeout(600)
final class RewordedCallsPropertyTest {
  private static final int RESTORES = Integer.getInteger("superstep.restores", 50);

  @TempDir Path folder;

  private static void check(Checkpointer store, int seed, int percent) throws InterruptedException {
    var number = new AtomicInteger();
    Property.check(
        seed,
        Math.max(1, RESTORES * percent / 100),
        RestoredAgent.Plan::draw,
        plan -> {
          var thread = "t" + number.incrementAndGet();
          assertThat(new RestoredAgent(plan, store, thread).faults()).isEmpty();
        });
  }

  /// Back before the calls, forward to the first history, and back to where the second one began.
  @ParameterizedTest
  @EnumSource(Durability.class)
  void an_effect_stays_known_when_its_history_counted_again_in_between(Durability durability)
      throws InterruptedException {
    for (int place = 0; place < 6; place++) {
      for (int again = 0; again < 12; again++) {
        var restores =
            List.of(restored(3), restored(place), restored(again), restored(4), restored(2));
        var plan = new RestoredAgent.Plan(1, 1, false, durability, restores);
        assertThat(new RestoredAgent(plan, new InMemoryCheckpointer(), "t").faults())
            .as("restored to %d and %d", place, again)
            .isEmpty();
      }
    }
  }

  private static RestoredAgent.Restore restored(int place) {
    return new RestoredAgent.Restore(0, place, false, false, 0);
  }

  @Test
  void in_memory_no_second_effect_and_no_old_approval() throws InterruptedException {
    check(new InMemoryCheckpointer(), 1, 50);
  }

  @Test
  void encrypted_no_second_effect_and_no_old_approval() throws InterruptedException {
    check(encrypted(), 100_000, 10);
  }

  private static Checkpointer encrypted() {
    return EncryptedCheckpointer.over(new InMemoryCheckpointer(), KeyRing.of("k", new byte[32]));
  }

  @Test
  void on_sqlite_no_second_effect_and_no_old_approval() throws InterruptedException {
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      check(store, 200_000, 20);
    }
  }

  @Test
  void on_postgres_no_second_effect_and_no_old_approval() throws InterruptedException {
    var database = PostgresServer.shared().freshDatabase();
    PostgresCheckpointer.migrate(database.dataSource());
    try (var store = PostgresCheckpointer.on(database.dataSource())) {
      check(store, 300_000, 20);
    }
  }
}
