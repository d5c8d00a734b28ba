package dev.superstep.bench.served;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.options.HttpLimits;
import dev.superstep.server.options.RunLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// A process that serves the graph of the comparison until it is killed.
final class ServedChild {
  private static final int REQUESTS_PER_SECOND = 1_000_000;
  private static final int DELAY_NONE = 0;
  private static final Channel<List<String>, String> ITEMS = Channel.append("items", String.class);
  private static final Channel<Integer, Integer> DELAY = Channel.latest("delay", Integer.class);

  private ServedChild() {}

  /// Serves.
  ///
  /// @param arguments the port, how many runs it works on at once, and the SQLite file, if it does
  ///   not keep everything in memory
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    int runs = Integer.parseInt(arguments[1]);
    if (arguments.length == 2) {
      serve(new InMemoryCheckpointer(), InMemoryServiceStore.open(), port, runs);
      return;
    }
    var file = Path.of(arguments[2]);
    try (var checkpoints = SqliteCheckpointer.open(file);
        var documents = SqliteServiceStore.open(file)) {
      serve(checkpoints, documents, port, runs);
    }
  }

  private static void serve(Checkpointer checkpoints, ServiceStore documents, int port, int runs)
      throws IOException, InterruptedException {
    var options =
        ServerOptions.defaults()
            .withHttp(HttpLimits.defaults().withRequestsPerSecond(REQUESTS_PER_SECOND))
            .withRuns(RunLimits.defaults().withConcurrent(runs));
    try (var server =
        AgentServer.on(checkpoints, documents)
            .options(options)
            .serving(ServedGraph.of(graph()))
            .start(port)) {
      server.awaitStop();
    }
  }

  private static Graph graph() {
    return Graph.named("trivial")
        .channels(ITEMS, DELAY)
        .node("first", ServedChild::first)
        .node("second", (_, _) -> Update.of(ITEMS, "second"))
        .sequence(START, "first", "second", END)
        .compile();
  }

  private static NodeResult first(State state, NodeContext node) throws InterruptedException {
    int delay = state.find(DELAY).orElse(DELAY_NONE);
    if (delay > 0) Thread.sleep(delay);
    return Update.of(ITEMS, "first");
  }
}
