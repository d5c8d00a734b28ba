package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lease;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;

/// Another JVM that works on a store: `save FILE` saves tasks until it is killed and prints each
/// that is saved, `race FILE NAME WINS TOKEN` commits against others that
/// have the same lease.
final class ChildProcess {
  private static final int SAVERS = 8;

  private ChildProcess() {}

  static Process start(Object... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
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

  public static void main(String[] arguments) throws Exception {
    var store = SqliteCheckpointer.open(Path.of(arguments[1]));
    switch (arguments[0]) {
      case "save" -> saveForEver(store);
      case "race" -> {
        var lease = new Lease(Commits.LINEAGE.thread(), "parent", Long.parseLong(arguments[4]));
        Commits.race(store, lease, arguments[2], Integer.parseInt(arguments[3]));
        store.close();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void saveForEver(SqliteCheckpointer store) {
    var lease = Commits.hold(store);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int saver = 0; saver < SAVERS; saver++) {
        var name = "saver-" + saver + "-";
        threads.execute(() -> {
          for (int n = 0; ; n++) {
            store.saveTask(lease, Commits.LINEAGE, "c0", Commits.finished(name + n), List.of());
            System.out.println(name + n);
          }
        });
      }
    }
  }
}
