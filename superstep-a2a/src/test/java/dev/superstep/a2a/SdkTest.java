package dev.superstep.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aAnswer;
import dev.superstep.a2a.client.A2aResult;
import dev.superstep.a2a.client.CardKeys;
import dev.superstep.a2a.server.A2aServer;
import dev.superstep.a2a.server.CardSigner;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.server.options.WebhookOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The published SDK of A2A for JavaScript: its client with a server here, and an agent that is
/// made with it as a node here. The programs are in `src/test/a2a`.
@Timeout(300)
final class SdkTest {
  private static final int CASES = 7;
  private static final int MINUTES = 4;
  private static final Path SOURCES = Path.of("src/test/a2a");
  private static final Path INSTALLED = Path.of("target/a2a").toAbsolutePath();

  @TempDir Path folder;

  private record Ended(int status, String output) {}

  @BeforeEach
  void install() throws Exception {
    assumeTrue(isInstalled(), "Node with npm and its registry are not to be had here");
  }

  @Test
  void the_client_of_the_sdk_works_with_a_server() throws Exception {
    var webhooks = WebhookOptions.defaults().withNetworks(Set.of("127.0.0.1"));
    var options = ServerOptions.defaults().withWebhooks(webhooks);
    var protocol = A2aServer.protocol().pushNotifications();
    try (var running = new DeskFixture().on(folder.resolve("desk.db"), 0, protocol, options)) {
      var command =
          List.of(
              "node", "--test", "--test-reporter=tap", "--test-timeout=60000", "client.test.js");
      var ended = run(command, running.server().address().toString()).orElseThrow();
      assertThat(ended.status()).as(ended.output()).isZero();
      assertThat(ended.output()).contains("# pass " + CASES);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "Ed25519", "RSA"})
  void the_sdk_verifies_the_card_of_a_server(String kind) throws Exception {
    var generator = KeyPairGenerator.getInstance(kind);
    if (kind.equals("EC")) generator.initialize(new ECGenParameterSpec("secp256r1"));
    var pair = generator.generateKeyPair();
    var protocol =
        A2aServer.protocol()
            .publicAt(URI.create("https://agents.example.com"))
            .pushNotifications()
            .signedBy(CardSigner.of("k1", pair.getPrivate()));
    var file = folder.resolve("desk.db");
    try (var running = new DeskFixture().on(file, 0, protocol, ServerOptions.defaults())) {
      var key = Base64.getEncoder().encodeToString(pair.getPublic().getEncoded());
      var command = List.of("node", "--test", "--test-reporter=tap", "signature.test.js");
      var ended = run(command, running.server().address().toString(), key).orElseThrow();
      assertThat(ended.status()).as(ended.output()).isZero();
      assertThat(ended.output()).contains("# pass 2");
    }
  }

  @Test
  void an_agent_of_the_sdk_is_a_node_that_answers_and_asks() throws Exception {
    var process =
        new ProcessBuilder("node", "agent.js")
            .directory(INSTALLED.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      var address = URI.create(lines.readLine());
      var requests = new RpcRequests(address);
      var keys = CardKeys.jwks(requests.get("/jwks").toString());
      var graph = Office.graph(A2aAgent.at(address).verifiedBy(keys));
      var here = new InMemoryCheckpointer();

      var said = graph.invoke(Input.of(Office.ORDER, "hello"), Office.options(here, "t"));
      assertThat(result(said).text()).isEqualTo("Heard: hello");

      var options = Office.options(here, "u");
      var asked = (Outcome.Interrupted) graph.invoke(Input.of(Office.ORDER, "ask me"), options);
      var question = asked.questions().getFirst();
      assertThat(A2aAgent.QUESTION.read(question).text()).isEqualTo("Which colour?");
      var answer = A2aAgent.QUESTION.answer(question, A2aAnswer.of("blue"));
      var done = graph.resume(Answers.none().and(answer), options);
      assertThat(result(done).text()).isEqualTo("Heard: blue");
      assertThat(requests.get("/begun").toString()).isEqualTo("[\"hello\",\"ask me\"]");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static A2aResult result(Outcome outcome) {
    return ((Outcome.Completed) outcome).state().get(Office.RESULT);
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
    return run(command, url, "");
  }

  private static Optional<Ended> run(List<String> command, String url, String key)
      throws Exception {
    var output = Files.createTempFile("a2a", ".txt");
    try {
      var builder = new ProcessBuilder(command).directory(INSTALLED.toFile());
      builder.environment().put("SUPERSTEP_URL", url);
      builder.environment().put("SUPERSTEP_KEY", key);
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
