package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.rows.EntryRows;
import dev.superstep.test.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Why the offsets of a journal come from the row of its thread, and not from a sequence.
@Tag("T124")
final class OffsetOrderTest {
  private HikariDataSource pool;

  @BeforeEach
  void open() {
    pool = Postgres.pool(PostgresServer.shared().freshDatabase());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /// A reader that goes on from the largest number that it saw.
  private static final class Reader {
    private final Connection connection;
    private final List<Long> seen = new ArrayList<>();

    Reader(Connection connection) {
      this.connection = connection;
    }

    void readOn() throws SQLException {
      var query = "select id from plain where id > ? order by id";
      try (var statement = connection.prepareStatement(query)) {
        statement.setLong(1, seen.isEmpty() ? 0 : seen.getLast());
        try (var rows = statement.executeQuery()) {
          while (rows.next()) seen.add(rows.getLong(1));
        }
      }
    }
  }

  @Test
  void with_a_sequence_a_reader_misses_late_commits() throws Exception {
    Postgres.run(
        pool, "create table plain (id bigint generated always as identity primary key, run text)");
    try (var slow = pool.getConnection();
        var quick = pool.getConnection();
        var reading = pool.getConnection()) {
      var reader = new Reader(reading);
      slow.setAutoCommit(false);
      insert(slow, "slow");
      insert(quick, "quick");
      reader.readOn();
      slow.commit();
      reader.readOn();
      // Number 1 is there now, and is never read.
      assertThat(Postgres.text(reading, "select count(*) from plain")).isEqualTo("2");
      assertThat(reader.seen).containsExactly(2L);
    }
  }

  private static void insert(Connection connection, String run) throws SQLException {
    try (var statement = connection.prepareStatement("insert into plain (run) values (?)")) {
      statement.setString(1, run);
      statement.executeUpdate();
    }
  }

  @Test
  void locking_the_row_of_the_thread_keeps_offsets_in_commit_order() throws Exception {
    try (var store = PostgresCheckpointer.on(pool);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var lease = Commits.hold(store);
      var thread = lease.thread();
      var isInserted = new CountDownLatch(1);
      var mayCommit = new CountDownLatch(1);
      var slow =
          threads.submit(() ->
              store.write(sql -> {
                int added = EntryRows.append(sql, lease, List.of(entry("slow")));
                isInserted.countDown();
                await(mayCommit);
                return added;
              }));
      isInserted.await();
      var quick =
          threads.submit(() -> {
            store.append(lease, List.of(entry("quick")));
            return true;
          });
      awaitWaiting();
      assertThat(store.entries(thread, 0, 9, EntryFilter.all())).isEmpty();
      mayCommit.countDown();
      slow.get();
      quick.get();
      assertThat(store.entries(thread, 0, 9, EntryFilter.all()))
          .extracting(Entry::run, Entry::offset)
          .containsExactly(tuple("slow", 1L), tuple("quick", 2L));
    }
  }

  /// Until the server says that one waits for another.
  private void awaitWaiting() throws SQLException {
    var query = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
    for (int i = 0; i < 100_000; i++) {
      if (!Postgres.text(pool, query).equals("0")) return;
      Thread.onSpinWait();
    }
    throw new AssertionError("nobody waits");
  }

  private static Entry entry(String run) {
    var any = Commits.entry(Json.parse("1"));
    return new Entry(0, any.at(), run, "graph", List.of(), "node", "kind", any.event());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
