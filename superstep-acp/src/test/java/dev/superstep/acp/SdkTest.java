package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The published SDK of the protocol for JavaScript: its client starts an agent of these tests as
/// an editor does. The program is in `src/test/acp`.
@Timeout(300)
final class SdkTest {
  private static final int CASES = 7;
  private static final int MINUTES = 4;
  private static final Path SOURCES = Path.of("src/test/acp");
  private static final Path INSTALLED = Path.of("target/acp").toAbsolutePath();

  private record Ended(int status, String output) {}

  @Test
  void the_client_of_the_sdk_works_with_an_agent() throws Exception {
    assumeTrue(isInstalled(), "Node with npm and its registry are not to be had here");
    var words = AgentProcess.words(Coder.class.getName());
    var command =
        List.of("node", "--test", "--test-reporter=tap", "--test-timeout=200000", "client.test.js");
    var started = Map.of("SUPERSTEP_COMMAND", Editor.JSON.writeValueAsString(words));
    var ended = run(command, started).orElseThrow();
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("# pass " + CASES);
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
    var made = run(List.of("npm", "ci", "--no-audit", "--no-fund"), Map.of());
    if (made.filter(ended -> ended.status() == 0).isEmpty()) return false;
    Files.writeString(ready, wanted);
    return true;
  }

  private static Optional<Ended> run(List<String> command, Map<String, String> variables)
      throws Exception {
    var output = Files.createTempFile("acp", ".txt");
    try {
      var builder = new ProcessBuilder(command).directory(INSTALLED.toFile());
      builder.environment().putAll(variables);
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
