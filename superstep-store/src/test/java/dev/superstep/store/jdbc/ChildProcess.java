package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Lease;
import dev.superstep.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// Another JVM that works on a store: `save FILE` saves tasks until it is killed and prints each
/// that is saved, `save-large FILE NAME` large ones with names that begin so, `hold FILE THREAD`
/// takes a thread and waits to be killed, `commit FILE THREAD MANY WAIT` appends entries, and `race
/// FILE NAME WINS TOKEN` commits against others that have the same lease; `race-postgres` with an
/// address does so there.
final class ChildProcess {
  /// The characters of a value that a few hundred times fill the write-ahead log.
  static final int LARGE = 20_000;

  private static final int SAVERS = 8;

  private ChildProcess() {}

  static Process start(Object... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    // Some are made to crash; what the JVM writes of that belongs into no module.
    var report = Path.of(System.getProperty("java.io.tmpdir"), "superstep-crash-%p.log");
    command.add("-XX:ErrorFile=" + report);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ChildProcess.class.getName());
    for (var argument : arguments) command.add(argument.toString());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  static List<String> read(BufferedReader lines, int many) throws IOException {
    var read = new ArrayList<String>();
    for (int i = 0; i < many; i++) {
      var line = lines.readLine();
      if (line == null) break;
      read.add(line);
    }
    return read;
  }

  public static void main(String[] arguments) {
    switch (arguments[0]) {
      case "save" -> saveForEver(SqliteCheckpointer.open(Path.of(arguments[1])), "", 0);
      case "save-large" ->
          saveForEver(SqliteCheckpointer.open(Path.of(arguments[1])), arguments[2], LARGE);
      case "hold" -> holdForEver(SqliteCheckpointer.open(Path.of(arguments[1])), arguments[2]);
      case "hold-postgres" -> {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(arguments[1]);
        holdForEver(PostgresCheckpointer.on(pool), arguments[2]);
      }
      case "commit" -> {
        var options = SqliteOptions.defaults().lockWait(Duration.parse(arguments[4]));
        try (var store = SqliteCheckpointer.open(Path.of(arguments[1]), options)) {
          commit(store, arguments[2], Integer.parseInt(arguments[3]));
        }
      }
      case "race" -> race(SqliteCheckpointer.open(Path.of(arguments[1])), arguments);
      case "race-postgres" -> {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(arguments[1]);
        try (pool) {
          race(PostgresCheckpointer.on(pool), arguments);
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void holdForEver(Checkpointer store, String thread) {
    var lease = store.acquire(thread, "one that is killed", Duration.ofHours(1));
    System.out.println(lease.token());
    LockSupport.park();
  }

  private static void commit(Checkpointer store, String thread, int many) {
    var lease = store.acquire(thread, "a child", Duration.ofHours(1));
    var journal = store.capability(EventJournal.class).orElseThrow();
    for (int i = 0; i < many; i++) journal.append(lease, List.of(Commits.entry(Json.of(i))));
  }

  private static void race(Checkpointer store, String[] arguments) {
    var lease = new Lease(Commits.LINEAGE.thread(), "parent", Long.parseLong(arguments[4]));
    try (store) {
      Commits.race(store, lease, arguments[2], Integer.parseInt(arguments[3]));
    }
  }

  private static void saveForEver(SqliteCheckpointer store, String prefix, int size) {
    // Whoever had it before was killed.
    store.breakLease(Commits.LINEAGE.thread());
    var lease = Commits.hold(store);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int saver = 0; saver < SAVERS; saver++) {
        var name = prefix + "saver-" + saver + "-";
        threads.execute(() -> {
          for (int n = 0; ; n++) {
            var task = Commits.finished(name + n, size);
            store.saveTask(lease, Commits.LINEAGE, "c0", task, List.of());
            System.out.println(name + n);
          }
        });
      }
    }
  }
}
