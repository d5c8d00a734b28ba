package dev.superstep.test.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL on a free port of this machine, in a temporary folder. Tests share one server
/// and each take a database of their own; a test that stops or kills the server starts one for
/// itself. It ends with [#close] or with this process, and its folder is then deleted. Safe for
/// many threads.
///
/// ```java
/// var database = PostgresServer.shared().freshDatabase();
/// var pool = new HikariDataSource();
/// pool.setJdbcUrl(database.url());
/// ```
///
/// It works for root too, whom PostgreSQL refuses: the library starts it in a user namespace.
public final class PostgresServer implements AutoCloseable {
  // Generous, for a machine where many builds share few cores.
  private static final Duration START_MAX = Duration.ofMinutes(3);
  private static final Duration EXIT_MAX = Duration.ofMinutes(2);
  // Another process may take the free port before PostgreSQL does.
  private static final int START_ATTEMPTS_MAX = 2;
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
  private static final int LOG_LINES_SHOWN = 20;
  private static final String CONNECTIONS_MAX = "200";

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger databases = new AtomicInteger();
  private final Durability durability;
  private final Path folder;
  private final @Nullable Path binaries;
  private final Thread atExit = new Thread(this::endAtExit, "stop-test-postgres");
  private @Nullable EmbeddedPostgres running;
  private int port;

  /// What a database keeps when the machine loses power.
  public enum Durability {
    /// Nothing for certain. Much faster, and what is committed survives a killed server.
    RELAXED,
    /// What was committed, as in production.
    SYNCED
  }

  private static final class Shared {
    private static final PostgresServer SERVER = start(Durability.RELAXED);

    private Shared() {}
  }

  private static final class SharedWithPgvector {
    private static final PostgresServer SERVER =
        start(Durability.RELAXED, Pgvector.archive().orElseThrow());

    private SharedWithPgvector() {}
  }

  /// @param binaries an archive of PostgreSQL; null for the one of the library
  private PostgresServer(Durability durability, Path folder, @Nullable Path binaries) {
    this.durability = durability;
    this.folder = folder;
    this.binaries = binaries;
  }

  /// The one server of this process. Not to be stopped or killed by a test.
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /// The one server of this process that has pgvector, where [Pgvector#archive] is there. Not to be
  /// stopped or killed by a test.
  public static PostgresServer sharedWithPgvector() {
    return SharedWithPgvector.SERVER;
  }

  /// A server of one's own, which may be stopped, killed and restarted.
  ///
  /// @throws PostgresUnavailable if none can run here
  public static PostgresServer start(Durability durability) {
    return start(durability, null);
  }

  private static PostgresServer start(Durability durability, @Nullable Path binaries) {
    try {
      var folder = Files.createTempDirectory("test-postgres-");
      var server = new PostgresServer(durability, folder, binaries);
      Runtime.getRuntime().addShutdownHook(server.atExit);
      server.launchAnywhere();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder for a PostgreSQL can be made", e);
    }
  }

  /// A new, empty database.
  public PostgresDatabase freshDatabase() {
    var name = "test_" + databases.incrementAndGet();
    try (var connection = new PostgresDatabase("postgres", port()).connect();
        var create = connection.createStatement()) {
      create.execute("create database " + name);
      return new PostgresDatabase(name, port());
    } catch (SQLException e) {
      throw unavailable("makes no database `" + name + "`", e);
    }
  }

  /// The port on the loopback address; the same after a restart.
  public int port() {
    lock.lock();
    try {
      return port;
    } finally {
      lock.unlock();
    }
  }

  /// Stops the server as an administrator does: connections end, what is committed is written out.
  /// Does nothing if it is not running.
  public void stop() {
    lock.lock();
    try {
      var server = running;
      running = null;
      if (server != null) server.close();
    } catch (IOException e) {
      throw unavailable("does not stop", e);
    } finally {
      lock.unlock();
    }
  }

  /// Kills the server without a chance to write anything out, as a crash does. It recovers what was
  /// committed at the next [#restart]. Does nothing if it is not running.
  public void kill() {
    lock.lock();
    try {
      if (running == null) return;
      var postmaster = postmaster();
      var processes = new ArrayList<>(postmaster.descendants().toList());
      processes.addFirst(postmaster);
      processes.forEach(ProcessHandle::destroyForcibly);
      for (var process : processes) {
        process.onExit().get(EXIT_MAX.toSeconds(), TimeUnit.SECONDS);
      }
      // Only lets go of the folder: there is nothing left to stop.
      stop();
    } catch (Exception e) {
      if (e instanceof InterruptedException) Thread.currentThread().interrupt();
      throw unavailable("cannot be killed", e);
    } finally {
      lock.unlock();
    }
  }

  /// Starts the server again, with its data and on the same port, after stopping it if it runs.
  public void restart() {
    restart(START_MAX);
  }

  void restart(Duration startMax) {
    lock.lock();
    try {
      stop();
      running = launch(port, startMax);
    } catch (IOException | RuntimeException e) {
      throw unavailable("does not start again", e);
    } finally {
      lock.unlock();
    }
  }

  /// Whether the server was started and neither stopped nor killed by this class since.
  public boolean isRunning() {
    lock.lock();
    try {
      return running != null;
    } finally {
      lock.unlock();
    }
  }

  /// Stops the server and deletes its data.
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook finds nothing to do.
    }
  }

  /// A start that hangs must not keep the process from ending.
  private void endAtExit() {
    try {
      if (!lock.tryLock(EXIT_MAX.toSeconds(), TimeUnit.SECONDS)) return;
    } catch (InterruptedException _) {
      return;
    }
    try {
      end();
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      stop();
      delete(folder);
    } finally {
      lock.unlock();
    }
  }

  private void launchAnywhere() {
    lock.lock();
    try {
      for (int attempt = 1; running == null; attempt++) {
        try {
          running = launch(0, START_MAX);
          port = running.getPort();
        } catch (IOException | RuntimeException e) {
          if (attempt < START_ATTEMPTS_MAX) continue;
          var why = unavailable("does not start", e);
          close();
          throw why;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /// @param at the port, 0 for any that is free
  private EmbeddedPostgres launch(int at, Duration startMax) throws IOException {
    var log = ProcessBuilder.Redirect.appendTo(log().toFile());
    var builder = EmbeddedPostgres.builder();
    if (binaries != null) builder.setPgBinaryResolver((_, _) -> Files.newInputStream(binaries));
    var started =
        builder
            .setDataDirectory(folder.resolve("data"))
            .setPort(at)
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setPGStartupWait(startMax)
            .setOutputRedirector(log)
            .setErrorRedirector(log)
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("unix_socket_directories", "")
            .setServerConfig("max_connections", CONNECTIONS_MAX)
            // The library turns it off, and then a killed server loses what was just committed.
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("fsync", durability == Durability.SYNCED ? "on" : "off")
            .setServerConfig("timezone", "UTC")
            .setLocaleConfig("locale", "C")
            // Whatever else has taken the port may accept a connection and say nothing.
            .setConnectConfig("loginTimeout", String.valueOf(ANSWER_MAX.toSeconds()))
            .start();
    checkIsOurs(started);
    return started;
  }

  /// The library takes any server that answers on the port for the one that it started.
  private void checkIsOurs(EmbeddedPostgres started) throws IOException {
    try (var connection = started.getPostgresDatabase().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("show data_directory")) {
      rows.next();
      var data = Path.of(rows.getString(1));
      if (data.equals(folder.resolve("data").toRealPath())) return;
      throw new IOException("port " + started.getPort() + " is of the server in `" + data + "`");
    } catch (SQLException e) {
      throw new IOException("the server answers no query", e);
    }
  }

  private ProcessHandle postmaster() throws IOException {
    try (var lines = Files.lines(folder.resolve("data").resolve("postmaster.pid"))) {
      var id = Long.parseLong(lines.findFirst().orElseThrow().strip());
      return ProcessHandle.of(id)
          .orElseThrow(() -> new IllegalStateException("process " + id + " is not there"));
    }
  }

  private Path log() {
    return folder.resolve("server.log");
  }

  private PostgresUnavailable unavailable(String what, Exception cause) {
    return new PostgresUnavailable(what, endOfLog(), cause);
  }

  private String endOfLog() {
    try {
      if (!Files.exists(log())) return "";
      var lines = Files.readString(log(), StandardCharsets.UTF_8).lines().toList();
      int from = Math.max(0, lines.size() - LOG_LINES_SHOWN);
      return String.join("\n", lines.subList(from, lines.size()));
    } catch (IOException e) {
      return "(cannot be read: " + e + ")";
    }
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) return;
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("`" + folder + "` cannot be deleted", e);
    }
  }
}
