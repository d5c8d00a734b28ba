package dev.superstep.test.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A real PgBouncer in transaction mode before a [PostgresServer]: each transaction may be at
/// another session of the server, so nothing that is kept in one is found again. There are fewer
/// sessions than a test has connections. It ends with [#close] or with this process. Safe for many
/// threads.
public final class PgBouncer implements AutoCloseable {
  private static final Duration START_MAX = Duration.ofMinutes(1);
  private static final Duration START_RETRY = Duration.ofMillis(50);
  private static final int START_ATTEMPTS_MAX = 3;
  private static final int SESSIONS = 3;
  private static final String SETTINGS = "pgbouncer.ini";
  private static final String LOG = "pgbouncer.log";

  private final Path folder;
  private final int port;
  private volatile Process process;
  private final Thread atExit;

  private PgBouncer(Process process, Path folder, int port) {
    this.process = process;
    this.folder = folder;
    this.port = port;
    this.atExit = new Thread(this::end, "stop-test-pgbouncer");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /// The program, if this machine has it. It comes as the package `pgbouncer`, not from Maven.
  public static Optional<Path> program() {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Stream.of(path.split(":")), Stream.of("/usr/sbin", "/usr/local/sbin"))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// Starts one before the server.
  public static PgBouncer before(PostgresServer server) {
    var program = program().orElseThrow();
    for (int attempt = 1; ; attempt++) {
      try {
        return start(program, server.port());
      } catch (IOException e) {
        // Another process may take the free port first.
        if (attempt == START_ATTEMPTS_MAX) throw new UncheckedIOException(e);
      }
    }
  }

  /// The same database, by way of this.
  public PostgresDatabase of(PostgresDatabase database) {
    return new PostgresDatabase(database.name(), port);
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook finds nothing to do.
    }
  }

  /// Kills it, which ends all connections, and starts it again on the same port.
  public void restart() {
    try {
      kill();
      process = launch(program().orElseThrow(), folder);
      awaitAnswer();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PgBouncer was started", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor(START_MAX.toSeconds(), TimeUnit.SECONDS);
  }

  private void end() {
    try {
      kill();
      for (var name : List.of(SETTINGS, LOG)) Files.deleteIfExists(folder.resolve(name));
      Files.deleteIfExists(folder);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PgBouncer start(Path program, int server) throws IOException {
    var folder = Files.createTempDirectory("test-pgbouncer-");
    int port = freePort();
    Files.writeString(folder.resolve(SETTINGS), settings(server, port));
    var started = new PgBouncer(launch(program, folder), folder, port);
    try {
      started.awaitAnswer();
      return started;
    } catch (IOException e) {
      var said = Files.readString(folder.resolve(LOG));
      started.close();
      throw new IOException("PgBouncer does not start: " + said, e);
    }
  }

  private static Process launch(Path program, Path folder) throws IOException {
    var command = new ArrayList<String>();
    // It refuses to run as root; so does PostgreSQL, which is started in the same way.
    if (System.getProperty("user.name").equals("root")) command.addAll(List.of("unshare", "-U"));
    command.addAll(List.of(program.toString(), folder.resolve(SETTINGS).toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve(LOG).toFile()))
        .start();
  }

  private static String settings(int server, int port) {
    return """
    [databases]
    * = host=127.0.0.1 port=%d user=%s
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = %d
    unix_socket_dir =
    auth_type = any
    pool_mode = transaction
    default_pool_size = %d
    max_client_conn = 200
    ignore_startup_parameters = extra_float_digits
    """
        .formatted(server, PostgresDatabase.USER, port, SESSIONS);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitAnswer() throws IOException {
    long end = System.nanoTime() + START_MAX.toNanos();
    while (true) {
      try (var connection = new PostgresDatabase("postgres", port).connect();
          var statement = connection.createStatement()) {
        statement.execute("select 1");
        return;
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() > end) throw new IOException(e);
        LockSupport.parkNanos(START_RETRY.toNanos());
      }
    }
  }
}
