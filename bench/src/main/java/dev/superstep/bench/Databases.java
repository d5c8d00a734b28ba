package dev.superstep.bench;

import dev.superstep.bench.Plan.Cell;
import dev.superstep.bench.measure.Database;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.test.postgres.PostgresUnavailable;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Gives the children that need one a PostgreSQL database of their own.
final class Databases {
  // Held, because nobody else holds it; it tells a page about each start.
  private final Logger chatter = Logger.getLogger("io.zonky");

  Databases() {
    chatter.setLevel(Level.WARNING);
  }

  private static List<String> home() {
    return List.of("-Dsuperstep.home=" + System.getProperty("superstep.home", ""));
  }

  /// Options for the JVM of the child.
  List<String> given(Cell cell) throws ChildProcess.Failed {
    if (!cell.name().startsWith("postgres")) return home();
    try {
      var database = PostgresServer.shared().freshDatabase();
      return List.of(home().getFirst(), "-D" + Database.PROPERTY + "=" + database.url());
    } catch (PostgresUnavailable e) {
      var reason =
          String.valueOf(e.getMessage()).lines().findFirst().orElse("PostgreSQL does not run here");
      throw new ChildProcess.Failed(reason);
    }
  }
}
