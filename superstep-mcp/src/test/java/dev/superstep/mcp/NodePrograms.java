package dev.superstep.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Programs from the registry of Node, installed once for a build.
final class NodePrograms {
  private static final int MINUTES = 5;
  private static final Path SOURCES = Path.of("src/test/servers");
  private static final Path INSTALLED = Path.of("target/servers").toAbsolutePath();

  private NodePrograms() {}

  /// The end of a program.
  record Ended(int status, String output) {}

  /// A folder with its packages, or empty if there is no Node with npm, or no registry.
  static Optional<Path> installed(String name) throws IOException, InterruptedException {
    var folder = INSTALLED.resolve(name);
    Files.createDirectories(folder);
    for (var file : List.of("package.json", "package-lock.json")) {
      Files.write(folder.resolve(file), Files.readAllBytes(SOURCES.resolve(name).resolve(file)));
    }
    var ready = folder.resolve("ready");
    if (Files.exists(ready)) return Optional.of(folder);
    var made = run(folder, List.of("npm", "ci", "--no-audit", "--no-fund"), Map.of());
    if (made.filter(ended -> ended.status() == 0).isEmpty()) return Optional.empty();
    Files.writeString(ready, "");
    return Optional.of(folder);
  }

  /// Runs a program, or returns empty if there is none.
  static Optional<Ended> run(Path folder, List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    var output = Files.createTempFile("node", ".txt");
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
      process.getOutputStream().close();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) process.destroyForcibly().waitFor();
      return Optional.of(new Ended(process.exitValue(), Files.readString(output)));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
