package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.json.Json;
import dev.superstep.test.postgres.PostgresServer;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What leases leave behind in the tables of PostgreSQL, and which rows they lock. Another session
/// holds a write where a test wants it, so nothing depends on who is faster.
@Tag("T88")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LeaseRowsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private HikariDataSource pool;
  private PostgresCheckpointer store;

  @BeforeEach
  void open() {
    pool = Postgres.pool(PostgresServer.shared().freshDatabase());
    store = PostgresCheckpointer.on(pool);
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
  }

  private String rows(String table) throws Exception {
    return Postgres.text(pool, "select count(*) from superstep." + table);
  }

  private static <T> FutureTask<T> begun(Callable<T> work) {
    var task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /// Waits until some session waits for a lock of another one.
  private void untilSomebodyWaits(FutureTask<?> work) throws Exception {
    while (Postgres.text(pool, "select count(*) from pg_locks where not granted").equals("0")) {
      assertThat(work.isDone()).isFalse();
      Thread.onSpinWait();
    }
  }

  private Connection session() throws Exception {
    var session = pool.getConnection();
    session.setAutoCommit(false);
    return session;
  }

  private static void run(Connection session, String statement) throws Exception {
    try (var made = session.createStatement()) {
      made.execute(statement);
    }
  }

  /// How many rows of the thread another transaction may lock in this way just now.
  private String lockable(String how) throws Exception {
    return Postgres.text(
        pool,
        "select count(*) from (select 1 from superstep.thread where name = 'thread' "
            + how
            + " skip locked) as free");
  }

  @Test
  void releasing_an_empty_thread_leaves_no_rows() throws Exception {
    var lease = Commits.hold(store);
    assertThat(rows("thread")).isEqualTo("1");
    assertThat(rows("family")).isEqualTo("1");
    store.release(lease);
    assertThat(rows("thread")).isEqualTo("0");
    assertThat(rows("family")).isEqualTo("0");
    Commits.hold(store);
    store.breakLease(LINEAGE.thread());
    assertThat(rows("thread")).isEqualTo("0");
    assertThat(rows("family")).isEqualTo("0");
  }

  @Test
  void releasing_a_thread_with_data_keeps_its_rows() throws Exception {
    var lease = Commits.hold(store);
    store.append(lease, List.of(Commits.entry(Json.string("told"))));
    store.release(lease);
    var other = store.acquire("other", "the test", LONG);
    assertThat(store.commit(Commits.hold(store), Commits.nth(0))).isTrue();
    store.release(other);
    assertThat(rows("thread")).isEqualTo("1");
    assertThat(rows("family")).isEqualTo("1");
  }

  @Test
  void a_lost_race_to_create_a_thread_leaves_no_orphaned_family() throws Exception {
    try (var first = session()) {
      run(
          first,
          "with made as (insert into superstep.family default values returning id)"
              + " insert into superstep.thread (name, family, token, owner, until, cancelled,"
              + " last_offset) select 'thread', id, 0, 'first', 9000000000000000, 0, 0 from made");
      var second = begun(() -> Commits.hold(store));
      untilSomebodyWaits(second);
      first.commit();
      assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES))
          .hasCauseInstanceOf(ThreadBusy.class)
          .hasMessageContaining("first");
    }
    assertThat(rows("thread")).isEqualTo("1");
    assertThat(rows("family")).isEqualTo("1");
  }

  @Test
  void an_expired_lease_is_taken_over_in_place() throws Exception {
    var first = Commits.hold(store);
    assertThat(store.commit(first, Commits.nth(0))).isTrue();
    assertThat(store.requestCancel(LINEAGE.thread())).isTrue();
    Postgres.run(pool, "update superstep.thread set until = 1");
    var second = Commits.hold(store);
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(store.renew(second, LONG)).isFalse();
    assertThat(rows("thread")).isEqualTo("1");
    assertThat(rows("family")).isEqualTo("1");
  }

  /// Does a write, which is held up by a lock on its table, and says who may lock the thread then.
  private void isSharedWhile(String table, Lease lease, Callable<?> write) throws Exception {
    try (var session = session()) {
      run(session, "lock table superstep." + table + " in share row exclusive mode");
      var writing = begun(write);
      untilSomebodyWaits(writing);
      assertThat(lockable("for no key update")).as("a takeover waits").isEqualTo("0");
      assertThat(lockable("for share")).as("another write of the holder does not").isEqualTo("1");
      session.rollback();
      writing.get(1, TimeUnit.MINUTES);
    }
    assertThat(lockable("for no key update")).isEqualTo("1");
    assertThat(store.renew(lease, LONG)).isFalse();
  }

  @Test
  void a_takeover_waits_while_a_task_or_step_is_being_saved() throws Exception {
    var lease = Commits.hold(store);
    assertThat(store.commit(lease, Commits.nth(0))).isTrue();
    var task = Commits.finished("t1");
    isSharedWhile(
        "task", lease, () -> store.saveTask(lease, LINEAGE, Commits.id(0), task, List.of()));
    var step = new StepRecord("t2", "mail", Json.string("sent"));
    isSharedWhile("step", lease, () -> store.saveStep(lease, LINEAGE, Commits.id(0), step));
    assertThat(store.tasks(LINEAGE, Commits.id(0))).containsExactly(task);
    assertThat(store.steps(LINEAGE, Commits.id(0))).containsExactly(step);
  }

  @Test
  void a_takeover_waits_while_a_checkpoint_is_being_saved() throws Exception {
    var lease = Commits.hold(store);
    assertThat(store.commit(lease, Commits.nth(0))).isTrue();
    try (var session = session()) {
      run(session, "lock table superstep.checkpoint in share row exclusive mode");
      var writing = begun(() -> store.commit(lease, Commits.nth(1)));
      untilSomebodyWaits(writing);
      assertThat(lockable("for share")).isEqualTo("0");
      session.rollback();
      assertThat(writing.get(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  @Test
  void a_thread_released_between_two_attempts_to_take_it_is_read_as_it_was_released() {
    var lease = Commits.hold(store);
    store.commit(lease, Commits.nth(0));
    // The holder writes for the last time when the other one has seen that it is busy.
    var watched =
        Postgres.watched(
            pool,
            (_, call) -> {
              if (call.startsWith("select owner, until")) {
                store.commitLast(lease, Commits.nth(1));
              }
            });
    try (var other = PostgresCheckpointer.on(watched)) {
      var acquired = other.acquireThread(LINEAGE.thread(), "other", LONG);
      assertThat(acquired.threadRecord().orElseThrow().latest().checkpoint().id())
          .isEqualTo(Commits.id(1));
    }
  }
}
