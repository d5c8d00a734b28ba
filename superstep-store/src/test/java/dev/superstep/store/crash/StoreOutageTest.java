package dev.superstep.store.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteOptions;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Stores that fail in the middle of a run: the run ends with a typed error, nothing that was saved
/// is lost or done again, and it goes on when the store works again.
@Tag("T98")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class StoreOutageTest {
  private static final String END = "completed first, trouble, last";

  @TempDir Path folder;

  private FaultyGraph troubled(FaultyGraph.Trouble trouble) {
    return new FaultyGraph(new Notes(folder.resolve("notes")), 0, trouble);
  }

  private static StoreFailed failed(Checkpointer store, FaultyGraph troubled) {
    var failed = catchThrowableOfType(StoreFailed.class, () -> troubled.told(store));
    assertThat(failed).isNotNull();
    assertThat(failed.code()).isEqualTo("store.failed");
    // A disk that refuses to be written may also have lost something.
    assertThat(failed.getMessage())
        .containsAnyOf(
            "What was saved before is intact; resume the thread", "[SQLITE_IOERR_WRITE] I/O error");
    return failed;
  }

  /// What had ended before the trouble is not done again; the node that met it is.
  private static void goesOn(Checkpointer store, FaultyGraph troubled) throws Exception {
    assertThat(troubled.notes().all()).containsExactly("first", "paid");
    assertThat(troubled.calm().resumed(store)).isEqualTo(END);
    assertThat(troubled.notes().all()).containsExactly("first", "paid", "last");
  }

  // --- SQLite ---

  @Test
  void a_locked_file_fails_the_run_which_resumes_when_it_is_unlocked() throws Exception {
    var file = folder.resolve("threads.db");
    var options = SqliteOptions.defaults().lockWait(Duration.ofSeconds(1));
    try (var store = SqliteCheckpointer.open(file, options);
        var other = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = other.createStatement()) {
      // However long the run itself is at it, on a machine at load.
      statement.execute("pragma busy_timeout=120000");
      var troubled = troubled(() -> statement.execute("begin immediate"));
      assertThat(failed(store, troubled))
          .hasMessageContaining("threads.db")
          .hasMessageContaining("another process keeps it locked");
      statement.execute("rollback");
      goesOn(store, troubled);
    }
  }

  @Test
  void files_that_become_read_only_fail_the_run_which_resumes_when_they_are_writable()
      throws Exception {
    var file = folder.resolve("threads.db");
    var files = List.of(file.toString(), file + "-wal");
    try (var store = SqliteCheckpointer.open(file)) {
      assumeThat(change("+i", List.of(file.toString())))
          .as("only the superuser, on some file systems, can close files that are open")
          .isTrue();
      change("-i", List.of(file.toString()));
      var troubled = troubled(() -> assertThat(change("+i", files)).isTrue());
      assertThat(failed(store, troubled)).hasMessageContaining("threads.db");
      change("-i", files);
      goesOn(store, troubled);
    } finally {
      change("-i", files);
    }
  }

  /// Unlike its permissions, this attribute counts for files that are open, and for root.
  private static boolean change(String attribute, List<String> files) throws Exception {
    var command = new ArrayList<>(List.of("chattr", attribute));
    command.addAll(files);
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (java.io.IOException _) {
      return false;
    }
  }

  // --- PostgreSQL ---

  private static void execute(PostgresDatabase database, String sql) throws Exception {
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /// As when a primary becomes a standby.
  private static void only(boolean reads, PostgresDatabase database) throws Exception {
    execute(
        new PostgresDatabase("postgres", database.port()),
        "alter database %s set default_transaction_read_only = %s"
            .formatted(database.name(), reads));
    kill(database);
  }

  /// Waits until they are gone: one that ends in the midst of a commit leaves its end unknown.
  private static void kill(PostgresDatabase database) throws Exception {
    execute(
        new PostgresDatabase("postgres", database.port()),
        "select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '%s'"
            .formatted(database.name()));
  }

  @Test
  void a_read_only_server_fails_the_run_which_resumes_when_it_accepts_writes() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var store = Teller.open(database.url())) {
      var troubled = troubled(() -> only(true, database));
      assertThat(failed(store, troubled))
          .hasMessageContaining("the server only reads, as a standby does; connect to the primary");
      only(false, database);
      goesOn(store, troubled);
    }
  }

  @Test
  void a_stopped_server_fails_the_run_which_resumes_when_it_is_back() throws Exception {
    try (var server = PostgresServer.start(PostgresServer.Durability.SYNCED)) {
      var database = server.freshDatabase();
      // Without a pool, which would wait a long time for a server that is stopped.
      try (var store = PostgresCheckpointer.on(database.dataSource())) {
        var troubled = troubled(server::stop);
        assertThat(failed(store, troubled)).hasMessageContaining("check that it runs");
        server.restart();
        goesOn(store, troubled);
      }
    }
  }

  @Test
  void a_server_that_crashes_and_is_back_before_the_next_write_does_not_stop_a_run()
      throws Exception {
    try (var server = PostgresServer.start(PostgresServer.Durability.SYNCED);
        var store = Teller.open(server.freshDatabase().url())) {
      var troubled =
          troubled(() -> {
            server.kill();
            server.restart();
          });
      assertThat(troubled.told(store)).isEqualTo(END);
      assertThat(troubled.notes().all()).containsExactly("first", "paid", "last");
    }
  }

  @Test
  void connections_that_are_killed_in_the_middle_of_a_run_do_not_stop_it() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var store = Teller.open(database.url())) {
      var troubled = troubled(() -> kill(database));
      assertThat(troubled.told(store)).isEqualTo(END);
      assertThat(troubled.notes().all()).containsExactly("first", "paid", "last");
    }
  }
}
