package dev.superstep.server.sdk;

import dev.superstep.server.AgentServer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.store.jdbc.SqliteStore;
import java.nio.file.Path;

/// Serves the fixture graphs from an SQLite file, for a look by hand: arguments are the file and the
/// port.
final class FixtureServer {
  private FixtureServer() {}

  public static void main(String[] args) throws Exception {
    var file = Path.of(args[0]);
    try (var checkpoints = SqliteCheckpointer.open(file);
        var documents = SqliteServiceStore.open(file);
        var memory = SqliteStore.open(file);
        var server =
            AgentServer.on(checkpoints, documents)
                .memory(memory)
                .serving(FixtureGraphs.all())
                .start(Integer.parseInt(args[1]))) {
      System.out.println(server.address());
      server.awaitStop();
    }
  }
}
