package dev.superstep.server.studio;

import dev.superstep.server.AgentServer;
import dev.superstep.server.AgentServerBuilder;
import dev.superstep.server.graph.NotServed;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.nio.file.Path;

/// Serves [StudioGraphs] from an SQLite file, with a `.rag` file, until its input ends. Arguments
/// are the store, the file, the port, a word of the report, by which a later server differs, and
/// keys of those who may use it, if it asks.
final class StudioServer {
  private StudioServer() {}

  public static void main(String[] args) throws Exception {
    var store = Path.of(args[0]);
    try (var checkpoints = SqliteCheckpointer.open(store);
        var documents = SqliteServiceStore.open(store)) {
      serve(
          AgentServer.on(checkpoints, documents)
              .serving(StudioGraphs.all(args[3]))
              .notServing(new NotServed("nightly", "Cleans up", "It takes a folder, not JSON."))
              .texts(new RagFile("report", Path.of(args[1]))),
          args);
    }
  }

  private static void serve(AgentServerBuilder builder, String... args) throws Exception {
    if (args.length > 4) builder.authenticator(ApiKeys.parse(args[4]));
    try (var server = builder.start(Integer.parseInt(args[2]))) {
      System.out.println("ready " + server.address());
      while (System.in.read() >= 0) {}
    }
  }
}
