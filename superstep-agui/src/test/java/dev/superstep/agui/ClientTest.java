package dev.superstep.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The published client of AG-UI for TypeScript against a server. The cases are in `src/test/agui`.
@Timeout(300)
final class ClientTest {
  private static final int CASES = 11;
  private static final int MINUTES = 4;
  private static final Path SOURCES = Path.of("src/test/agui");
  private static final Path INSTALLED = Path.of("target/agui").toAbsolutePath();

  @TempDir Path folder;

  private record Ended(int status, String output) {}

  @Test
  void the_client_for_typescript_works_with_a_server() throws Exception {
    assumeTrue(isInstalled(), "Node with npm and its registry are not to be had here");
    try (var running =
        DeskFixture.Running.on(folder.resolve("desk.db"), AgUi.protocol().sharing("document"))) {
      var command = List.of("node", "--test", "--test-reporter=tap", "--test-timeout=60000");
      var ended = run(command, running.server().address().toString()).orElseThrow();
      assertThat(ended.status()).as(ended.output()).isZero();
      assertThat(ended.output()).contains("# pass " + CASES);
    }
  }

  private static boolean isInstalled() throws Exception {
    Files.createDirectories(INSTALLED);
    try (var files = Files.list(SOURCES)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        Files.write(INSTALLED.resolve(file.getFileName()), Files.readAllBytes(file));
      }
    }
    var wanted = Files.readString(SOURCES.resolve("package-lock.json"));
    var ready = INSTALLED.resolve("node_modules/ready");
    if (Files.exists(ready) && Files.readString(ready).equals(wanted)) return true;
    var made = run(List.of("npm", "ci", "--no-audit", "--no-fund"), "");
    if (made.filter(ended -> ended.status() == 0).isEmpty()) return false;
    Files.writeString(ready, wanted);
    return true;
  }

  private static Optional<Ended> run(List<String> command, String url) throws Exception {
    var output = Files.createTempFile("agui", ".txt");
    try {
      var builder = new ProcessBuilder(command).directory(INSTALLED.toFile());
      builder.environment().put("SUPERSTEP_URL", url);
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      Process process;
      try {
        process = builder.start();
      } catch (IOException _) {
        return Optional.empty();
      }
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) process.destroyForcibly().waitFor();
      return Optional.of(new Ended(process.exitValue(), Files.readString(output)));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
