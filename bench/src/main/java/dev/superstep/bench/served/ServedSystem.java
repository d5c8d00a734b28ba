package dev.superstep.bench.served;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A server that is measured.
enum ServedSystem {
  /// As the peers are: everything is gone with the process.
  MEMORY("superstep-memory", "this source tree, everything in memory"),
  /// As `superstep serve` does it: each superstep is on disk before the next begins.
  SQLITE("superstep-sqlite", "this source tree, everything in an SQLite file"),
  LANGGRAPH("langgraph", "the development server of LangGraph in Python, in memory"),
  LANGGRAPHJS("langgraphjs", "the development server of LangGraph.js, in memory");

  /// So many runs each of them works on at once.
  static final int RUNS = 200;

  private final String id;
  private final String what;

  ServedSystem(String id, String what) {
    this.id = id;
    this.what = what;
  }

  String id() {
    return id;
  }

  String what() {
    return what;
  }

  static Optional<ServedSystem> named(String id) {
    return Arrays.stream(values()).filter(system -> system.id.equals(id)).findFirst();
  }

  /// Starts it.
  ///
  /// @param peers the folder with the programs of the others
  /// @param folder for its files
  ServerProcess start(Path peers, Path folder, int port) throws IOException, InterruptedException {
    var log = folder.resolve(id + ".log");
    return switch (this) {
      case MEMORY -> ServerProcess.start(java(port), folder, port, log);
      case SQLITE -> {
        var file = Files.createTempDirectory(folder, "sqlite-").resolve("server.sqlite");
        yield ServerProcess.start(java(port, file.toString()), folder, port, log);
      }
      case LANGGRAPH -> ServerProcess.start(python(peers, port), copy(peers, folder), port, log);
      case LANGGRAPHJS -> ServerProcess.start(node(peers, port), copy(peers, folder), port, log);
    };
  }

  private static List<String> java(int port, String... more) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ServedChild.class.getName(), String.valueOf(port)));
    command.add(String.valueOf(RUNS));
    command.addAll(List.of(more));
    return command;
  }

  private static List<String> python(Path peers, int port) {
    return List.of(
        peers.resolve("langgraph-server/venv/bin/langgraph").toString(),
        "dev",
        "--no-browser",
        "--no-reload",
        "--n-jobs-per-worker",
        String.valueOf(RUNS),
        "--server-log-level",
        "error",
        "--host",
        "127.0.0.1",
        "--port",
        String.valueOf(port));
  }

  private static List<String> node(Path peers, int port) {
    return List.of(
        peers.resolve("langgraphjs-server/node_modules/.bin/langgraphjs").toString(),
        "dev",
        "--no-browser",
        "--no-reload",
        "--n-jobs-per-worker",
        String.valueOf(RUNS),
        "--host",
        "127.0.0.1",
        "--port",
        String.valueOf(port));
  }

  /// A fresh folder for each start, since they save what they had when they end.
  private Path copy(Path peers, Path folder) throws IOException {
    var from = peers.resolve(id + "-server");
    var fresh = Files.createTempDirectory(folder, id + "-");
    try (Stream<Path> files = Files.list(from)) {
      for (var file : files.toList()) {
        var to = fresh.resolve(file.getFileName().toString());
        if (Files.isRegularFile(file)) Files.copy(file, to);
        else if (file.endsWith("node_modules")) Files.createSymbolicLink(to, file);
      }
    }
    return fresh;
  }

  /// Why it cannot be started here, if it cannot.
  Optional<String> missing(Path peers) {
    return switch (this) {
      case MEMORY, SQLITE -> Optional.empty();
      case LANGGRAPH ->
          missing(
              peers.resolve("langgraph-server/venv/bin/langgraph"),
              "python3 -m venv venv && venv/bin/pip install -r requirements.txt");
      case LANGGRAPHJS ->
          missing(peers.resolve("langgraphjs-server/node_modules/.bin/langgraphjs"), "npm ci");
    };
  }

  private Optional<String> missing(Path program, String command) {
    if (Files.exists(program)) return Optional.empty();
    return Optional.of(
        id + " is not installed; run `" + command + "` in bench/peers/" + id + "-server");
  }
}
