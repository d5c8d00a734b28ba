package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.finished;
import static dev.superstep.store.jdbc.Commits.nth;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.rows.EntryRows;
import dev.superstep.store.jdbc.rows.Leases;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PostgresTransactionsTest {
  private static final Json ITEM = Json.string("item");

  private PostgresDatabase database;
  private HikariDataSource pool;

  @BeforeEach
  void open() {
    database = PostgresServer.shared().freshDatabase();
    pool = Postgres.pool(database);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  // --- What may go wrong ---

  @Test
  void connections_that_were_killed_while_idle_are_not_noticed() throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 6; n++) {
        // Several, so that the second one that the pool gives is dead, too.
        together(
            () -> store.renew(lease, Duration.ofHours(1)),
            () -> store.renew(lease, Duration.ofHours(1)),
            () -> store.renew(lease, Duration.ofHours(1)));
        assertThat(database.killConnections()).isPositive();
        if (n % 2 == 0) assertThat(store.latest(LINEAGE).isPresent()).isEqualTo(n > 0);
        assertThat(store.commit(lease, nth(n, appended("list", n, ITEM)))).isTrue();
      }
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(6);
    }
  }

  @Test
  void a_write_is_tried_once_more_if_it_failed_before_its_commit() throws Exception {
    PostgresCheckpointer.migrate(pool);
    var untilKilled = new AtomicInteger();
    var killing =
        Postgres.watched(
            pool,
            (_, call) -> {
              if (!call.contains(" ") || Postgres.Before.isCommit(call)) return;
              if (untilKilled.decrementAndGet() == 0) database.killConnections();
            });
    try (var store = PostgresCheckpointer.on(killing)) {
      int killed = 0;
      do {
        var lineage = Lineage.of("thread-" + ++killed);
        var lease = store.acquire(lineage.thread(), "the test", Duration.ofHours(1));
        untilKilled.set(killed);
        // Of new names, so there is more than one statement before the last.
        var made = nth(0, appended("list-" + killed, 0, ITEM)).checkpoint();
        var change = appended("list-" + killed, 0, ITEM);
        assertThat(store.commit(lease, new Commit(lineage, made, List.of(change)))).isTrue();
        assertThat(store.page(lineage, Optional.empty(), 9)).hasSize(1);
        assertThat(store.latest(lineage).orElseThrow().channels()).hasSize(1);
      } while (untilKilled.get() <= 0);
      assertThat(killed).isGreaterThan(3);
    }
  }

  @Test
  @Tag("T88")
  void a_write_whose_commit_was_lost_is_not_tried_again() throws Exception {
    PostgresCheckpointer.migrate(pool);
    var isArmed = new AtomicInteger();
    var source =
        Postgres.watched(
            pool,
            Postgres.Before.commit((_, _) -> {
              if (isArmed.getAndDecrement() == 1) database.killConnections();
            }));
    try (var store = PostgresCheckpointer.on(source)) {
      var lease = Commits.hold(store);
      isArmed.set(1);
      assertThatThrownBy(() -> store.append(lease, List.of(Commits.entry(ITEM))))
          .isInstanceOf(StoreFailed.class)
          .hasMessageStartingWith("The store `jdbc:postgresql://127.0.0.1:")
          .hasMessageContaining("whether that was kept is not known");
      // It was killed before, so it was not kept. Tried again, it would be there.
      assertThat(store.lastOffset(LINEAGE.thread())).isZero();
      store.append(lease, List.of(Commits.entry(ITEM)));
      assertThat(store.lastOffset(LINEAGE.thread())).isEqualTo(1);
    }
  }

  @Test
  void a_refused_write_leaves_nothing_behind() {
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      assertThatThrownBy(() ->
              store.write(sql -> {
                EntryRows.append(sql, lease, List.of(Commits.entry(ITEM)));
                sql.ids().channels(sql, List.of("channel"));
                throw new IllegalStateException("halfway");
              }))
          .hasMessage("halfway");
      assertThat(store.lastOffset(LINEAGE.thread())).isZero();
      assertThat(store.entries(LINEAGE.thread(), 0, 9, EntryFilter.all())).isEmpty();
      // What was added and taken back is not remembered either.
      assertThat(store.commit(lease, nth(0, appended("channel", 0, ITEM)))).isTrue();
      assertThat(store.latest(LINEAGE).orElseThrow().channels()).hasSize(1);
    }
  }

  @Test
  void a_locked_thread_is_awaited_and_then_reported() throws Exception {
    try (var store = PostgresCheckpointer.on(pool);
        var other = database.connect();
        var statement = other.createStatement()) {
      var lease = Commits.hold(store);
      other.setAutoCommit(false);
      statement.execute("select id from superstep.thread for update");
      assertThatThrownBy(() ->
              store.write(sql -> {
                sql.first("select 1", row -> 1);
                sql.script("set local lock_timeout to '50ms'");
                return Leases.lock(sql, lease, 0);
              }))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("another process keeps it locked");
    }
  }

  @Test
  void an_interrupted_caller_still_learns_the_outcome() throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      var saved =
          new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            var existing = store.saveTask(lease, LINEAGE, "c0", finished("t"), List.of());
            assertThat(store.tasks(LINEAGE, "c0")).containsExactly(existing);
            return Thread.currentThread().isInterrupted();
          });
      Thread.ofVirtual().start(saved);
      assertThat(saved.get()).isTrue();
    }
  }

  @Test
  void a_closed_store_says_so_and_leaves_the_pool_open() throws Exception {
    var store = PostgresCheckpointer.on(pool);
    store.close();
    store.close();
    assertThatThrownBy(() -> store.latest(LINEAGE))
        .isInstanceOf(StoreFailed.class)
        .hasMessageContaining("it is closed; open it again to use it");
    assertThat(Postgres.text(pool, "select 1")).isEqualTo("1");
  }

  // --- Who else is there ---

  @Test
  void a_lease_lasts_by_the_clock_of_the_database() throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      var query = "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
      var before = time(Postgres.text(pool, query));
      Commits.hold(store);
      var after = time(Postgres.text(pool, query));
      assertThatThrownBy(() -> Commits.hold(store))
          .isInstanceOfSatisfying(
              ThreadBusy.class,
              busy -> assertThat(busy.until().minus(Duration.ofHours(1))).isBetween(before, after));
    }
  }

  private static Instant time(String micros) {
    return Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS);
  }

  @Test
  @Tag("T88")
  void of_two_stores_that_acquire_a_thread_one_succeeds_and_the_other_is_fenced() {
    try (var otherPool = Postgres.pool(database);
        var one = PostgresCheckpointer.on(pool);
        var two = PostgresCheckpointer.on(otherPool)) {
      var dead = one.acquire(LINEAGE.thread(), "one", Duration.ZERO);
      var lease = Commits.hold(two);
      assertThatThrownBy(() -> Commits.hold(one)).isInstanceOf(ThreadBusy.class);
      assertThatThrownBy(() -> one.commit(dead, nth(0))).isInstanceOf(LeaseLost.class);
      assertThat(one.requestCancel(LINEAGE.thread())).isTrue();
      assertThat(two.renew(lease, Duration.ofHours(1))).isTrue();
      assertThat(two.commit(lease, nth(0, appended("list", 0, ITEM)))).isTrue();
      assertThat(one.latest(LINEAGE)).isEqualTo(two.latest(LINEAGE));
    }
  }

  @Test
  void two_processes_build_one_line_of_checkpoints() throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      long token = Commits.hold(store).token();
      var url = database.url();
      var first = ChildProcess.start("race-postgres", url, "first", 60, token);
      var second = ChildProcess.start("race-postgres", url, "second", 60, token);
      assertThat(first.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(second.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(List.of(first.exitValue(), second.exitValue())).containsOnly(0);
      var page = store.page(LINEAGE, Optional.empty(), 1_000);
      assertThat(page).hasSize(120);
      for (int i = 0; i < 119; i++) {
        assertThat(page.get(i).parent()).contains(page.get(i + 1).id());
      }
    }
  }

  @Test
  void many_stores_open_a_new_database_concurrently() throws Exception {
    Callable<Boolean> open =
        () -> {
          try (var own = Postgres.pool(database);
              var store = PostgresCheckpointer.on(own)) {
            return store.latest(LINEAGE).isEmpty();
          }
        };
    assertThat(together(open, open, open, open)).containsOnly(true);
  }

  // --- What stays behind ---

  @Test
  void a_connection_is_returned_to_the_pool_with_its_settings() throws Exception {
    PostgresCheckpointer.migrate(database.dataSource());
    pool.setMaximumPoolSize(1);
    var settings =
        "select concat_ws(' ', current_setting('search_path'), current_setting('lock_timeout'),"
            + " current_setting('idle_in_transaction_session_timeout'),"
            + " current_setting('default_transaction_isolation'),"
            + " current_setting('transaction_read_only'), pg_backend_pid())";
    var before = Postgres.text(pool, settings);
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 20; n++) {
        store.commit(lease, nth(n, appended("list", n, ITEM)));
        store.latest(LINEAGE);
      }
      store.compact();
    }
    assertThat(Postgres.text(pool, settings)).isEqualTo(before);
    assertThat(Postgres.text(pool, "select count(*) from pg_locks where locktype = 'advisory'"))
        .isEqualTo("0");
  }

  @Test
  void a_user_with_few_rights_can_use_tables_that_another_made() throws Exception {
    PostgresCheckpointer.migrate(pool);
    Postgres.run(
        pool,
        "drop role if exists clerk",
        "create role clerk login",
        "grant usage on schema superstep to clerk",
        "grant select, insert, update, delete on all tables in schema superstep to clerk",
        "grant usage on sequence superstep.lease_token to clerk");
    var clerks = Postgres.pool(database);
    clerks.setJdbcUrl(database.url().replace("user=postgres", "user=clerk"));
    try (clerks;
        var store = PostgresCheckpointer.on(clerks)) {
      var lease = Commits.hold(store);
      assertThat(store.commit(lease, nth(0, appended("list", 0, ITEM)))).isTrue();
      store.delete(lease);
    } finally {
      Postgres.run(pool, "drop owned by clerk", "drop role clerk");
    }
  }

  @Test
  void a_newer_schema_is_refused() throws Exception {
    PostgresCheckpointer.migrate(pool);
    Postgres.run(pool, "update superstep.schema_history set version = '7' where version = '1'");
    assertThatThrownBy(() -> PostgresCheckpointer.on(pool))
        .isInstanceOf(StoreFailed.class)
        .hasMessageContaining("version 7 and this program knows 5; use a newer Superstep");
  }

  @Test
  void tables_of_the_same_name_elsewhere_are_left_alone() throws Exception {
    Postgres.run(pool, "create table thread (mine text)", "create table value (mine text)");
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      assertThat(store.commit(lease, nth(0, Commits.whole("a", 1, ITEM)))).isTrue();
    }
    assertThat(Postgres.text(pool, "select count(*) from public.value")).isEqualTo("0");
  }

  @SafeVarargs
  private static List<Boolean> together(Callable<Boolean>... bodies) throws Exception {
    var start = new CyclicBarrier(bodies.length);
    var results = new ArrayList<Boolean>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<Boolean>>();
      for (var body : bodies) {
        all.add(
            threads.submit(() -> {
              start.await();
              return body.call();
            }));
      }
      for (var one : all) results.add(one.get());
    }
    return results;
  }
}
