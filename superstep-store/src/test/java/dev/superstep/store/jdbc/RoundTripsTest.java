package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.finished;
import static dev.superstep.store.jdbc.Commits.nth;
import static dev.superstep.store.jdbc.Commits.whole;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.json.Json;
import dev.superstep.test.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How often a call waits for PostgreSQL: across a network, that is what it takes.
@Tag("X8")
final class RoundTripsTest {
  private static final Set<String> TRIPS =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "commit", "rollback");
  private static final Json ITEM = Json.string("item".repeat(20));

  private final AtomicInteger trips = new AtomicInteger();
  private HikariDataSource pool;
  private PostgresCheckpointer store;
  private Lease lease;

  @BeforeEach
  void open() {
    pool = Postgres.pool(PostgresServer.shared().freshDatabase());
    store =
        PostgresCheckpointer.on(
            Postgres.counted(
                pool,
                method -> {
                  if (TRIPS.contains(method)) trips.incrementAndGet();
                }));
    lease = Commits.hold(store);
    // Names, which are known from then on, and the log.
    assertThat(store.commit(lease, superstep(0))).isTrue();
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
  }

  /// As a superstep does it: lists grow, values change, tasks and side effects ended, and there is
  /// something to tell.
  private static Commit superstep(int n) {
    var bare =
        nth(
            n,
            appended("list", n, ITEM),
            appended("log", n, ITEM),
            whole("a", n + 1, ITEM),
            whole("b", n + 1, ITEM));
    var entries = new ArrayList<dev.superstep.checkpoint.Entry>();
    for (int i = 0; i < 10; i++) entries.add(Commits.entry(ITEM));
    return bare.carrying(List.of(finished("t" + n)), List.of(), List.of()).withEntries(entries);
  }

  private interface Call {
    void run();
  }

  private int trips(Call call) {
    trips.set(0);
    call.run();
    return trips.get();
  }

  @Test
  void a_superstep_is_committed_in_four() {
    assertThat(trips(() -> assertThat(store.commit(lease, superstep(1))).isTrue())).isEqualTo(4);
    // However long it has run.
    for (int n = 2; n < 20; n++) assertThat(store.commit(lease, superstep(n))).isTrue();
    assertThat(trips(() -> assertThat(store.commit(lease, superstep(20))).isTrue())).isEqualTo(4);
    assertThat(store.lastOffset(LINEAGE.thread())).isEqualTo(210);
    var saved = store.latest(LINEAGE).orElseThrow();
    assertThat(saved.checkpoint().id()).isEqualTo(Commits.id(20));
    assertThat(saved.channels()).hasSize(4);
  }

  @Test
  void the_end_of_a_task_or_a_side_effect_takes_three() {
    var entries = List.of(Commits.entry(ITEM));
    var task = finished("task");
    assertThat(trips(() -> store.saveTask(lease, LINEAGE, Commits.id(0), task, entries)))
        .isEqualTo(3);
    var step = new StepRecord("task", "key", ITEM);
    assertThat(trips(() -> store.saveStep(lease, LINEAGE, Commits.id(0), step))).isEqualTo(3);
    assertThat(trips(() -> store.append(lease, entries))).isEqualTo(3);
    assertThat(store.steps(LINEAGE, Commits.id(0))).containsExactly(step);
    assertThat(store.tasks(LINEAGE, Commits.id(0))).containsExactly(finished("t0"), task);
  }
}
