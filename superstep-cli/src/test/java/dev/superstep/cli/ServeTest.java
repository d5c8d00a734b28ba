package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that the command starts.
@Timeout(120)
@Tag("SV11")
class ServeTest {
  private static final String GREET =
      """
      graph greet {
        input { name text }
        output { greeting text }
        channel greeting overwrite
        start say
        node say { model "small" prompt "Greet {name}." into greeting }
      }
      """;
  private static final String KEY = "ann-has-a-long-key";
  private static final String SEALED = "sqlite:sealed/service.db";
  private static final String SEALS = "first AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=\n";
  private static final String SECRET = "Zanzibar";

  /// The key of the example in RFC 8032, section 7.1.
  private static final String CARD_KEY =
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpe0SpjMQrUQHTPJ1g
      -----END PRIVATE KEY-----
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("texts/greet.rag", GREET);
    Pal.on(desk, 5);
  }

  private Desk.Said refused(String... arguments) {
    var all = new ArrayList<>(List.of("serve"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--model", "scripted://script.json"));
    var said = desk.run(all.toArray(String[]::new));
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.out() + said.err()).doesNotContain("Exception", KEY);
    return said;
  }

  @Test
  void a_server_says_what_it_serves_answers_those_with_a_key_and_stops_when_told()
      throws Exception {
    desk.variable("SUPERSTEP_SERVER_PORT", "0").write("keys.txt", "ann " + KEY + " read\n");
    var server =
        desk.start(
            "serve",
            "pal",
            "texts",
            "letters",
            "--keys",
            "keys.txt",
            "--model",
            "scripted://script.json");
    try (var client = HttpClient.newHttpClient()) {
      var lines = lines(server);
      var said = desk.neutral(String.join("\n", lines) + "\n");
      var err = Files.readString(desk.folder().resolve("stderr.txt"));
      assertThat(lines).as(err).isNotEmpty();
      Golden.check("serve.txt", said.replaceAll(":\\d{4,5}(?=\\s|/studio)", ":PORT"));

      var address = address(lines);
      assertThat(get(client, address + "/ok", "").body()).isEqualTo("{\"ok\":true}");
      assertThat(get(client, address + "/health/ready", "").statusCode()).isEqualTo(200);
      assertThat(get(client, address + "/superstep/graphs", "").statusCode()).isEqualTo(401);
      assertThat(get(client, address + "/superstep/graphs", KEY).statusCode()).isEqualTo(200);
      var schemas = get(client, address + "/assistants/greet/schemas", KEY).body();
      assertThat(Json.parse(schemas).text())
          .containsPattern("\"output_schema\":\\{[^}]*\"properties\":\\{\"greeting\":\\{[^}]*}}");
      // The key may only read.
      assertThat(make(client, address + "/threads/search").statusCode()).isEqualTo(200);
      assertThat(make(client, address + "/threads").statusCode()).isEqualTo(403);

      server.destroy();
      assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(server.exitValue()).isZero();
    } finally {
      server.destroyForcibly();
    }
  }

  @Test
  void a_server_speaks_the_protocols_that_it_is_told_to() throws Exception {
    desk.write("script.json", "{\"replies\": [{\"when\": \"Greet Ann\", \"text\": \"Hi Ann!\"}]}");
    desk.write("cards-2026.pem", CARD_KEY);
    var server =
        desk.start(
            "serve",
            "texts",
            "--port",
            "0",
            "--a2a",
            "--a2a-push",
            "--a2a-url",
            "https://agents.example.com",
            "--a2a-key",
            "cards-2026.pem",
            "--agui",
            "--model",
            "scripted://script.json");
    try (var client = HttpClient.newHttpClient()) {
      var lines = lines(server);
      var address = address(lines);
      assertThat(lines).contains("a2a     " + address + "/a2a/NAME");
      assertThat(lines).contains("agui    " + address + "/agui/NAME");

      var card = get(client, address + "/a2a/greet/.well-known/agent-card.json", "").body();
      assertThat(card)
          .contains("https://agents.example.com/a2a/greet", "\"pushNotifications\":true");
      var header = Json.parse(card).text().replaceAll(".*\"protected\":\"([^\"]*)\".*", "$1");
      var decoded = new String(Base64.getUrlDecoder().decode(header), StandardCharsets.UTF_8);
      assertThat(decoded).contains("\"EdDSA\"", "\"cards-2026\"");
      var sent =
          sent(
              client,
              address + "/a2a/greet",
              """
              {"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message":
                {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Ann"}]}}}
              """);
      assertThat(sent).contains("TASK_STATE_COMPLETED", "Hi Ann!");
      var run =
          sent(
              client,
              address + "/agui/greet",
              """
              {"threadId": "t1", "runId": "r1", "tools": [], "context": [], "state": {},
                "messages": [{"id": "m1", "role": "user", "content": "Ann"}],
                "forwardedProps": {}}
              """);
      assertThat(run).contains("RUN_FINISHED", "Hi Ann!");
    } finally {
      server.destroyForcibly().waitFor();
    }
  }

  private static List<String> lines(Process server) throws IOException {
    var lines = new ArrayList<String>();
    var out =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      if (line.startsWith("Ctrl-C")) break;
    }
    return lines;
  }

  private static String sent(HttpClient client, String url, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url))
            .header("A2A-Version", "1.0")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  void settings_of_a_protocol_that_is_not_served_are_refused() throws IOException {
    assertThat(refused("texts", "--a2a-push").err()).contains("`a2a-push`", "--a2a");
    assertThat(refused("texts", "--a2a", "--a2a-url", "agents").err()).contains("`a2a-url`");
    desk.write("k.pem", CARD_KEY);
    desk.write("no.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    assertThat(refused("texts", "--a2a", "--a2a-key", "k.pem").err()).contains("--a2a-url");
    var url = List.of("texts", "--a2a", "--a2a-url", "https://a.example", "--a2a-key");
    for (var file : List.of("none.pem", "no.pem")) {
      var all = new ArrayList<>(url);
      all.add(file);
      assertThat(refused(all.toArray(String[]::new)).err()).contains("`a2a-key`", file);
    }
  }

  private static String address(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith("address "))
        .map(line -> line.substring("address ".length()))
        .findFirst()
        .orElseThrow();
  }

  private static HttpResponse<String> make(HttpClient client, String url) throws Exception {
    var body = HttpRequest.BodyPublishers.ofString("{}");
    var request = HttpRequest.newBuilder(URI.create(url)).header("x-api-key", KEY).POST(body);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(HttpClient client, String url, String key)
      throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url));
    if (!key.isEmpty()) request.header("x-api-key", key);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void what_cannot_be_served_is_refused_with_the_reason() throws Exception {
    desk.write("more/greet.rag", GREET);
    var all = new StringBuilder();
    all.append(refused("letters").err());
    all.append(refused("texts", "more").err());
    all.append(refused("home").err());
    all.append(refused("nowhere").err());
    all.append(refused("texts", "--host", "0.0.0.0", "--port", "0").err());
    all.append(refused("texts", "--port", "80000").err());
    all.append(refused("texts", "--store", "mysql://db/agents").err());
    all.append(refused("texts", "--store", "postgresql://ann:pass word@db").err());
    all.append(refused("texts", "--origins", "chat.example.com").err());
    desk.write("keys.txt", "ann short\n");
    all.append(refused("texts", "--keys", "keys.txt").err());
    desk.write("keys.txt", "ann " + KEY + " read\nbob " + KEY + "2 banana\n");
    all.append(refused("texts", "--keys", "keys.txt").err());
    all.append(refused("texts", "--isolate", "--port", "0").err());
    all.append(refused("texts", "--jwt-issuer", "http://login.example.com").err());
    desk.write("seals.txt", "# keys\nnew c2hvcnQ=\n");
    all.append(refused("texts", "--encryption-keys", "seals.txt", "--store", SEALED).err());
    desk.write("seals.txt", "\n");
    all.append(refused("texts", "--encryption-keys", "seals.txt", "--store", SEALED).err());
    all.append(refused("texts", "--encryption-keys", "none.txt", "--store", SEALED).err());
    desk.write("seals.txt", SEALS);
    all.append(refused("texts", "--encryption-keys", "seals.txt").err());

    Golden.check("serve-refused.txt", desk.neutral(all.toString()));
  }

  @Test
  void settings_come_from_options_then_the_environment_then_the_users_file() throws Exception {
    desk.write(
        "home/.config/superstep/config.toml",
        """
        [server]
        port = 8123
        origins = ["https://a.example.com", "https://b.example.com"]
        """);
    desk.variable("SUPERSTEP_SERVER_PORT", "9000");

    var all = new StringBuilder();
    for (var key : List.of("server.port", "server.origins", "server.keys")) {
      all.append(desk.run("config", "explain", key).out());
    }
    Golden.check("config-server.txt", desk.neutral(all.toString()).replaceAll(" {2,}", "  "));

    desk.write("home/.config/superstep/config.toml", "[server]\nprot = 8123\n");
    assertThat(desk.run("config", "explain", "server.port").err())
        .contains("config.broken", "`server.prot` is not a key", "Did you mean `port`?");
  }

  /// Each source is wrong here in its own way, so that what the server says tells which one counts.
  @Test
  @Tag("SV11")
  void an_option_counts_before_the_environment_and_that_before_the_users_file() throws Exception {
    var file = "home/.config/superstep/config.toml";
    desk.write(file, "[server]\nport = 70001\n");
    assertThat(refused("texts").err()).contains("`port`", "config.toml is wrong");
    desk.variable("SUPERSTEP_SERVER_PORT", "70002");
    assertThat(refused("texts").err()).contains("of SUPERSTEP_SERVER_PORT is wrong");
    assertThat(refused("texts", "--port", "70003").err()).contains("of --port is wrong");
  }

  /// A server that is started, and where it listens.
  private record Started(Process process, String address) implements AutoCloseable {
    @Override
    public void close() throws InterruptedException {
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @SuppressWarnings("StreamResourceLeak") // the process owns its output
  private Started start(String... options) throws IOException {
    var all = new ArrayList<>(List.of("serve", "texts", "--model", "scripted://script.json"));
    all.addAll(List.of("--port", "0", "--store", SEALED));
    all.addAll(List.of(options));
    var process = desk.start(all.toArray(String[]::new));
    var out = process.inputReader();
    var lines = new ArrayList<String>();
    for (var line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      if (line.startsWith("Ctrl-C")) return new Started(process, address(lines));
    }
    throw new AssertionError(Files.readString(desk.folder().resolve("stderr.txt")));
  }

  @Test
  @Tag("SV10")
  void an_encrypted_store_holds_nothing_that_was_said_and_opens_with_its_keys_alone()
      throws Exception {
    desk.write("seals.txt", SEALS);
    String thread;
    try (var server = start("--encryption-keys", "seals.txt");
        var client = HttpClient.newHttpClient()) {
      thread =
          Json.parse(post(client, server.address() + "/threads", "{}"))
              .text()
              .replaceFirst("(?s).*\"thread_id\":\"([^\"]+)\".*", "$1");
      var run = "{\"assistant_id\":\"greet\",\"input\":{\"name\":\"" + SECRET + "\"}}";
      post(client, server.address() + "/threads/" + thread + "/runs/wait", run);
      assertThat(get(client, server.address() + "/threads/" + thread + "/state", "").body())
          .contains(SECRET);
    }
    try (var files = Files.list(desk.folder().resolve("sealed"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(text).as(file.toString()).doesNotContain(SECRET);
      }
    }

    assertThat(refused("texts", "--store", SEALED).err()).contains("is encrypted");
    desk.write("other.txt", "other AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=\n");
    assertThat(refused("texts", "--store", SEALED, "--encryption-keys", "other.txt").err())
        .contains("without these keys");

    // A changed key is given in the environment here, with the old one to read.
    desk.variable(
        "SUPERSTEP_ENCRYPTION_KEYS",
        "second AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=," + SEALS.strip());
    try (var server = start();
        var client = HttpClient.newHttpClient()) {
      assertThat(get(client, server.address() + "/threads/" + thread + "/state", "").body())
          .contains(SECRET);
    }
  }

  private static String post(HttpClient client, String url, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.ofString(body));
    var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }
}
