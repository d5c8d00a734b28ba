package dev.superstep.server.sdk;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.server.AgentServer;
import dev.superstep.server.options.RunLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.options.WebhookOptions;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.store.jdbc.PostgresStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.test.postgres.PostgresDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A process that serves the fixture graphs: from an SQLite file, or from a PostgreSQL database
/// with other such processes. Prints its address, then works until it is killed or told to end.
final class FixtureServer {
  static final Duration LEASE = Duration.ofSeconds(2);

  /// Of the pages in the tests of browsers.
  static final String ORIGIN = "http://app.localhost:3000";

  private FixtureServer() {}

  /// A running process, and where it serves.
  record Running(Process process, URI address) implements AutoCloseable {
    /// Kills it as a power failure would.
    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  static Running start(PostgresDatabase database) throws IOException {
    return start(database, FixtureProcess.plain());
  }

  static Running start(Path file) throws IOException {
    return start(file, FixtureProcess.plain());
  }

  static Running start(PostgresDatabase database, FixtureProcess process) throws IOException {
    return start(process, "postgres", database.url(), "0");
  }

  static Running start(Path file, FixtureProcess process) throws IOException {
    return start(process, "sqlite", file.toString(), "0");
  }

  private static Running start(FixtureProcess as, String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(as.options());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(FixtureServer.class.getName());
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectError(as.log());
    builder.environment().putAll(as.environment());
    var process = builder.start();
    var output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var line = output.readLine();
    if (line == null) throw new IOException("the server did not start");
    return new Running(process, URI.create(line));
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[2]);
    if (args[0].equals("sqlite")) {
      var file = Path.of(args[1]);
      try (var checkpoints = SqliteCheckpointer.open(file);
          var documents = SqliteServiceStore.open(file);
          var memory = SqliteStore.open(file)) {
        serve(checkpoints, documents, memory, port);
      }
      return;
    }
    try (var pool = Pools.at(args[1]);
        var checkpoints = PostgresCheckpointer.on(pool);
        var documents = PostgresServiceStore.on(pool);
        var memory = PostgresStore.on(pool)) {
      serve(checkpoints, documents, memory, port);
    }
  }

  private static void serve(
      Checkpointer checkpoints, ServiceStore documents, Store memory, int port) throws Exception {
    var limits = RunLimits.defaults().withLease(LEASE);
    // Tests receive what the server sends.
    var webhooks = WebhookOptions.defaults().withNetworks(Set.of("127.0.0.0/8"));
    try (var server =
        AgentServer.on(checkpoints, documents)
            .memory(memory)
            .options(
                ServerOptions.defaults()
                    .withRuns(limits)
                    .withWebhooks(webhooks)
                    .withOrigins(Set.of(ORIGIN)))
            .serving(FixtureGraphs.all())
            .start(port)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      System.out.println(server.address());
      server.awaitStop();
    }
  }
}
