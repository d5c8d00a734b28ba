package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.finished;
import static dev.superstep.store.jdbc.Commits.nth;
import static dev.superstep.store.jdbc.Commits.whole;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.PostgresCheckpointer.Statements;
import dev.superstep.store.jdbc.WireCounter.Count;
import dev.superstep.store.jdbc.WireCounter.Work;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The waits of a call for PostgreSQL, counted on the wire: across a network, they are its time.
@Tag("X8")
final class RoundTripsTest {
  private static final Json ITEM = Json.string("item".repeat(20));
  private static final Duration LONG = Duration.ofHours(1);

  private WireCounter wire;
  private HikariDataSource pool;
  private PostgresCheckpointer store;

  /// The ways to a server.
  enum Way {
    UNNAMED,
    PREPARED,
    POOLED
  }

  private void open(Way way) {
    var database = PostgresServer.shared().freshDatabase();
    PostgresCheckpointer.migrate(database.dataSource());
    wire = WireCounter.before(way == Way.POOLED ? pooled(database) : database);
    pool = Postgres.pool(wire.database());
    pool.setMaximumPoolSize(1);
    store =
        PostgresCheckpointer.on(
            pool, way == Way.PREPARED ? Statements.PREPARED : Statements.UNNAMED);
  }

  private static PostgresDatabase pooled(PostgresDatabase database) {
    return Pooler.orSkip().of(database);
  }

  @AfterEach
  void close() {
    if (store == null) return; // skipped: there is no pooler on this machine
    store.close();
    pool.close();
    wire.close();
  }

  /// A thread with a first superstep.
  private Lease begun() {
    var lease = Commits.hold(store);
    // Names, which are known from then on, and the lists.
    assertThat(store.commit(lease, superstep(0))).isTrue();
    return lease;
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
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < 10; i++) entries.add(Commits.entry(ITEM));
    return bare.carrying(List.of(finished("t" + n)), List.of(), List.of()).withEntries(entries);
  }

  private Count count(Work work) {
    return wire.count(work);
  }

  @ParameterizedTest
  @EnumSource
  void a_superstep_is_committed_in_two(Way way) {
    open(way);
    var lease = begun();
    for (int n = 1; n < 20; n++) {
      var commit = superstep(n);
      var count = count(() -> assertThat(store.commit(lease, commit)).isTrue());
      assertThat(count).isEqualTo(new Count(2, 14));
    }
    assertThat(store.lastOffset(LINEAGE.thread())).isEqualTo(200);
    var saved = store.latest(LINEAGE).orElseThrow();
    assertThat(saved.checkpoint().id()).isEqualTo(Commits.id(19));
    assertThat(saved.channels()).hasSize(4);
  }

  @ParameterizedTest
  @EnumSource
  void the_end_of_a_task_or_a_side_effect_takes_two(Way way) {
    open(way);
    var lease = begun();
    var entries = List.of(Commits.entry(ITEM));
    var id = Commits.id(0);
    var task = finished("task");
    assertThat(count(() -> store.saveTask(lease, LINEAGE, id, task, entries)))
        .isEqualTo(new Count(2, 7));
    var step = new StepRecord("task", "key", ITEM);
    assertThat(count(() -> store.saveStep(lease, LINEAGE, id, step))).isEqualTo(new Count(2, 6));
    // What is there already.
    assertThat(count(() -> store.saveStep(lease, LINEAGE, id, step))).isEqualTo(new Count(2, 6));
    assertThat(count(() -> store.append(lease, entries))).isEqualTo(new Count(2, 5));
    assertThat(store.steps(LINEAGE, id)).containsExactly(step);
    assertThat(store.tasks(LINEAGE, id)).containsExactly(finished("t0"), task);
  }

  @ParameterizedTest
  @EnumSource
  void a_thread_is_acquired_in_three_and_answered_in_two(Way way) {
    open(way);
    store.release(begun());
    var name = LINEAGE.thread();
    var lease = new Lease[1];
    // The checkpoint, what is kept with it, and the commit.
    assertThat(count(() -> lease[0] = store.acquireThread(name, "me", LONG).lease()))
        .isEqualTo(new Count(3, 13));
    var answers = List.of(new Answer("question", ITEM));
    assertThat(count(() -> store.answer(lease[0], LINEAGE, Commits.id(0), answers, List.of())))
        .isEqualTo(new Count(2, 6));
    assertThat(count(() -> store.acquireThread("new", "me", LONG))).isEqualTo(new Count(2, 6));
  }
}
