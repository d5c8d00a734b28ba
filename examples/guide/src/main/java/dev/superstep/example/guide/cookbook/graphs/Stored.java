package dev.superstep.example.guide.cookbook.graphs;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.sql.DataSource;

/// Threads in PostgreSQL where there is one, and in a file elsewhere.
public final class Stored {
  static final Channel<Long, Long> VISITS = Channel.sum("visits");

  private Stored() {}

  /// The pool is yours: HikariCP, for example. In your pom: org.postgresql:postgresql,
  /// org.flywaydb:flyway-core and flyway-database-postgresql.
  static Checkpointer open(Optional<DataSource> pool, Path file) {
    return pool.<Checkpointer>map(PostgresCheckpointer::on)
        .orElseGet(() -> SqliteCheckpointer.open(file));
  }

  static Graph graph() {
    return Graph.named("visits")
        .channels(VISITS)
        .node("count", (_, _) -> Update.of(VISITS, 1L))
        .edge(START, "count")
        .edge("count", END)
        .compile();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Files.createTempDirectory("visits").resolve("threads.db");
    for (int process = 1; process <= 2; process++) {
      try (var store = open(Optional.empty(), file)) {
        var options = RunOptions.thread("ann").checkpoints(store);
        if (graph().invoke(Input.none(), options) instanceof Completed(var state)) {
          System.out.println("visit " + state.get(VISITS));
        }
      }
    }
  }
}
