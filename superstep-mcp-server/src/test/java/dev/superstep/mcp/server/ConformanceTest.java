package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// The official conformance suite for servers, against [ConformanceServer]: the released version
/// for revisions with sessions, and the last one before a release for revision 2026-07-28. The lock
/// file pins both.
@Tag("long")
final class ConformanceTest {
  private static final int MINUTES = 5;
  private static final Path SOURCES = Path.of("src/test/servers/conformance");
  private static final Path INSTALLED = Path.of("target/servers/conformance").toAbsolutePath();

  private static final List<String> SCENARIOS =
      List.of(
          "server-initialize",
          "logging-set-level",
          "ping",
          "completion-complete",
          "tools-list",
          "tools-call-simple-text",
          "tools-call-image",
          "tools-call-audio",
          "tools-call-embedded-resource",
          "tools-call-mixed-content",
          "tools-call-with-logging",
          "tools-call-error",
          "tools-call-with-progress",
          "tools-call-sampling",
          "tools-call-elicitation",
          "json-schema-2020-12",
          "elicitation-sep1034-defaults",
          "server-sse-polling",
          "server-sse-multiple-streams",
          "elicitation-sep1330-enums",
          "resources-list",
          "resources-read-text",
          "resources-read-binary",
          "resources-templates-read",
          "resources-subscribe",
          "resources-unsubscribe",
          "prompts-list",
          "prompts-get-simple",
          "prompts-get-with-args",
          "prompts-get-embedded-resource",
          "prompts-get-with-image",
          "dns-rebinding-protection");

  /// Scenarios that the revision requires, those of the tasks extension, and three that the suite
  /// does not count yet.
  private static final int MODERN_SCENARIOS = 37 + 10 + 3;

  /// A program that has ended.
  private record Ended(int status, String output) {}

  @TestFactory
  Stream<DynamicTest> every_scenario_passes() {
    return SCENARIOS.stream().map(name -> DynamicTest.dynamicTest(name, () -> passes(name)));
  }

  private static void passes(String scenario) throws Exception {
    assumeTrue(isInstalled(), "Node with npm and its registry are not to be had here");
    try (var server = ConformanceServer.open().start(0)) {
      var ended =
          run(
              "node_modules/.bin/node",
              "node_modules/@modelcontextprotocol/conformance/dist/index.js",
              "server",
              "--url",
              server.address().toString(),
              "--scenario",
              scenario);
      assertThat(ended.status()).as(ended.output()).isZero();
      assertThat(ended.output()).contains("0 failed, 0 warnings");
    }
  }

  @TestFactory
  Stream<DynamicTest> every_scenario_of_the_newest_revision_passes() throws Exception {
    assumeTrue(isInstalled(), "Node with npm and its registry are not to be had here");
    var results = Files.createTempDirectory("conformance");
    try (var server = ConformanceServer.open().start(0)) {
      var ended =
          run(
              "node_modules/.bin/node",
              "node_modules/conformance-2026-07-28/dist/index.js",
              "server",
              "--url",
              server.address().toString(),
              "--requirements",
              "2026-07-28",
              "--output-dir",
              results.toString());
      assertThat(ended.status()).as(ended.output()).isZero();
    }
    try (var folders = Files.list(results)) {
      var all = folders.sorted().toList();
      assertThat(all).hasSize(MODERN_SCENARIOS);
      return all.stream()
          .map(folder -> DynamicTest.dynamicTest(name(folder), () -> hasPassed(folder)));
    }
  }

  /// A folder is named after the scenario and the time.
  private static String name(Path folder) {
    return folder.getFileName().toString().replaceAll("^server-|-\\d{4}-\\d\\d-\\d\\dT.*$", "");
  }

  private static void hasPassed(Path folder) throws IOException {
    var checks = Wire.tree(Json.parse(Files.readString(folder.resolve("checks.json"))));
    for (var check : checks) {
      assertThat(Wire.text(check, "status"))
          .as(Wire.text(check, "id") + " " + Wire.text(check, "errorMessage"))
          .isIn("SUCCESS", "INFO", "SKIPPED");
    }
  }

  private static boolean isInstalled() throws IOException, InterruptedException {
    Files.createDirectories(INSTALLED);
    for (var file : List.of("package.json", "package-lock.json")) {
      Files.write(INSTALLED.resolve(file), Files.readAllBytes(SOURCES.resolve(file)));
    }
    var ready = INSTALLED.resolve("ready");
    if (Files.exists(ready)) return true;
    if (run("npm", "ci", "--no-audit", "--no-fund").status() != 0) return false;
    Files.writeString(ready, "");
    return true;
  }

  private static Ended run(String... words) throws IOException, InterruptedException {
    var output = Files.createTempFile("node", ".txt");
    try {
      var builder =
          new ProcessBuilder(new ArrayList<>(List.of(words))).directory(INSTALLED.toFile());
      builder.redirectErrorStream(true).redirectOutput(output.toFile());
      Process process;
      try {
        process = builder.start();
      } catch (IOException _) {
        return new Ended(-1, "");
      }
      process.getOutputStream().close();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) process.destroyForcibly().waitFor();
      return new Ended(process.exitValue(), Files.readString(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
