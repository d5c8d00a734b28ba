package dev.superstep.store.crash;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.Answers;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Input;
import dev.superstep.graph.Outcome;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Update;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Stores that fail in the middle of a run: the run ends with a typed error, nothing that was saved
/// is lost, and it goes on when the store works again.
@Tag("T98")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class TroubleTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  @TempDir Path folder;

  private final AtomicInteger first = new AtomicInteger();

  /// What happens between two nodes.
  private interface Trouble {
    void begin() throws Exception;
  }

  private Graph graph(Trouble trouble) {
    return Graph.named("trouble")
        .channels(LOG)
        .node("first", (_, _) -> Update.of(LOG, "first " + first.incrementAndGet()))
        .node(
            "trouble",
            (_, _) -> {
              trouble.begin();
              return Update.of(LOG, "trouble");
            })
        .node("last", (_, _) -> Update.of(LOG, "last"))
        .edge(START, "first")
        .edge("first", "trouble")
        .edge("trouble", "last")
        .edge("last", END)
        .compile();
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store).lease(Duration.ofMillis(200));
  }

  /// Goes on as soon as the lease of the run that could not give it back is over.
  private static List<String> resumed(Graph graph, Checkpointer store) throws InterruptedException {
    while (true) {
      try {
        var outcome = graph.resume(Answers.none(), on(store));
        return ((Outcome.Completed) outcome).state().get(LOG);
      } catch (ThreadBusy _) {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
  }

  private static void execute(String url, String sql) throws Exception {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void a_file_that_somebody_locks_fails_the_run_and_it_goes_on_when_it_is_free() throws Exception {
    var file = folder.resolve("threads.db");
    try (var store = SqliteCheckpointer.open(file);
        var other = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = other.createStatement()) {
      var graph =
          graph(() -> {
            statement.execute("begin immediate");
          });
      var error = catchThrowable(() -> graph.invoke(Input.none(), on(store)));
      assertThat(error).isInstanceOf(StoreFailed.class).hasMessageContaining("threads.db");
      statement.execute("rollback");
      assertThat(resumed(graph(() -> {}), store)).containsExactly("first 1", "trouble", "last");
    }
  }

  @Test
  void a_server_that_is_restarted_fails_the_run_at_most_and_loses_nothing() throws Exception {
    try (var server = PostgresServer.start(PostgresServer.Durability.SYNCED)) {
      var address = server.freshDatabase().url();
      try (var store = Teller.open(address, Duration.ofSeconds(2))) {
        var graph = graph(server::stop);
        var error = catchThrowable(() -> graph.invoke(Input.none(), on(store)));
        assertThat(error).isInstanceOf(StoreFailed.class);
        server.restart();
        assertThat(resumed(graph(() -> {}), store)).containsExactly("first 1", "trouble", "last");
      }
    }
  }

  @Test
  void connections_that_are_killed_in_the_middle_of_a_run_do_not_stop_it() throws Exception {
    var address = PostgresServer.shared().freshDatabase().url();
    try (var store = Teller.open(address)) {
      var graph =
          graph(() ->
              execute(
                  address,
                  "select pg_terminate_backend(pid) from pg_stat_activity"
                      + " where datname = current_database() and pid <> pg_backend_pid()"));
      var outcome = graph.invoke(Input.none(), on(store));
      assertThat(((Outcome.Completed) outcome).state().get(LOG))
          .containsExactly("first 1", "trouble", "last");
    }
  }
}
