package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// The official conformance suite for clients. Each scenario starts a server and our program, and
/// judges what the server saw.
@Tag("long")
final class ConformanceTest {
  private static final List<String> SCENARIOS =
      List.of(
          "initialize",
          "tools_call",
          "elicitation-sep1034-client-defaults",
          "sse-retry",
          "auth/metadata-default",
          "auth/metadata-var1",
          "auth/metadata-var2",
          "auth/metadata-var3",
          "auth/basic-cimd",
          "auth/scope-from-www-authenticate",
          "auth/scope-from-scopes-supported",
          "auth/scope-omitted-when-undefined",
          "auth/scope-step-up",
          "auth/scope-retry-limit",
          "auth/token-endpoint-auth-basic",
          "auth/token-endpoint-auth-post",
          "auth/token-endpoint-auth-none",
          "auth/pre-registration",
          "auth/2025-03-26-oauth-metadata-backcompat",
          "auth/2025-03-26-oauth-endpoint-fallback",
          "auth/resource-mismatch",
          "auth/offline-access-scope",
          "auth/offline-access-not-supported");

  @TestFactory
  Stream<DynamicTest> every_scenario_passes() {
    return SCENARIOS.stream().map(name -> DynamicTest.dynamicTest(name, () -> passes(name)));
  }

  private static void passes(String scenario) throws Exception {
    var folder = NodePrograms.installed("conformance");
    assumeTrue(folder.isPresent(), "Node with npm and its registry are not to be had here");
    var client =
        "\"%s\" -cp \"%s\" %s"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                classPath(),
                ConformanceClient.class.getName());
    var command =
        List.of(
            "node_modules/.bin/node",
            "node_modules/@modelcontextprotocol/conformance/dist/index.js",
            "client",
            "--command",
            client,
            "--scenario",
            scenario);
    var ended = NodePrograms.run(folder.get(), command, Map.of()).orElseThrow();
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("OVERALL: PASSED");
  }

  /// Of this test, whether the tests run on the class path or with modules.
  private static String classPath() {
    var all = System.getProperty("java.class.path") + java.io.File.pathSeparator;
    return all + String.valueOf(System.getProperty("jdk.module.path", ""));
  }
}
