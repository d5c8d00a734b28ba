package dev.superstep.server.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The clients of LangGraph from their registries, installed once for a build.
final class ClientTools {
  private static final int INSTALL_MINUTES = 5;
  private static final Path SOURCES = Path.of("src/test/sdk");
  private static final Path INSTALLED = Path.of("target/sdk").toAbsolutePath();

  private ClientTools() {}

  /// How a program ended.
  record Ended(int status, String output) {}

  /// The folder of the suite in JavaScript with its packages, or empty if there is no Node with npm
  /// or no registry.
  static Optional<Path> node() throws IOException, InterruptedException {
    return node("typescript");
  }

  /// The folder of a suite in JavaScript.
  static Optional<Path> node(String suite) throws IOException, InterruptedException {
    var folder = INSTALLED.resolve(suite);
    copy(SOURCES.resolve(suite), folder);
    var wanted = Files.readString(folder.resolve("package-lock.json"));
    var ready = folder.resolve("node_modules/ready");
    if (isInstalled(ready, wanted)) return Optional.of(folder);
    var made = run(folder, List.of("npm", "ci", "--no-audit", "--no-fund"), "");
    if (made.filter(ended -> ended.status() == 0).isEmpty()) return Optional.empty();
    Files.writeString(ready, wanted);
    return Optional.of(folder);
  }

  /// The folder of the suite in Python with its own interpreter, or empty if there is none or no
  /// registry.
  static Optional<Path> python() throws IOException, InterruptedException {
    return python("python");
  }

  /// Another folder with programs for Python.
  static Optional<Path> python(String name) throws IOException, InterruptedException {
    var folder = INSTALLED.resolve(name);
    copy(SOURCES.resolve(name), folder);
    var wanted = Files.readString(folder.resolve("requirements.txt"));
    var ready = folder.resolve("venv/ready");
    if (isInstalled(ready, wanted)) return Optional.of(folder);
    var made = run(folder, List.of("python3", "-m", "venv", "venv"), "");
    if (made.filter(ended -> ended.status() == 0).isEmpty()) return Optional.empty();
    var pip = List.of("venv/bin/pip", "install", "-q", "-r", "requirements.txt");
    var installed = run(folder, pip, "");
    if (installed.filter(ended -> ended.status() == 0).isEmpty()) return Optional.empty();
    Files.writeString(ready, wanted);
    return Optional.of(folder);
  }

  /// Returns whether what a list names was installed, and not what an earlier list named.
  private static boolean isInstalled(Path ready, String wanted) throws IOException {
    return Files.exists(ready) && Files.readString(ready).equals(wanted);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        Files.write(to.resolve(file.getFileName().toString()), Files.readAllBytes(file));
      }
    }
  }

  /// Runs a program of a suite.
  ///
  /// @param url of the server, for the suite
  /// @return empty if there is no such program
  static Optional<Ended> run(Path folder, List<String> command, String url)
      throws IOException, InterruptedException {
    return run(folder, command, Map.of("SUPERSTEP_URL", url), INSTALL_MINUTES);
  }

  /// Runs a program of a suite.
  ///
  /// @param variables of its environment
  /// @return empty if there is no such program
  static Optional<Ended> run(Path folder, List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    return run(folder, command, variables, INSTALL_MINUTES);
  }

  /// Runs a program that may take longer.
  static Optional<Ended> run(
      Path folder, List<String> command, Map<String, String> variables, int minutes)
      throws IOException, InterruptedException {
    var output = Files.createTempFile("sdk", ".txt");
    try {
      var builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().putAll(variables);
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      Process process;
      try {
        process = builder.start();
      } catch (IOException _) {
        return Optional.empty();
      }
      if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
      return Optional.of(new Ended(process.exitValue(), Files.readString(output)));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
