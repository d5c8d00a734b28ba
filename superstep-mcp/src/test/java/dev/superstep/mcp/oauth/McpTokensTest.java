package dev.superstep.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.json.Json;
import dev.superstep.mcp.config.McpEntry;
import dev.superstep.mcp.config.McpTrust;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tokens that outlive the process, at a service that takes each renewing token once.
@Timeout(60)
final class McpTokensTest {
  private static final KeyRing KEYS = KeyRing.of("k", new byte[KeyRing.KEY_BYTES]);

  @TempDir Path folder;
  private HttpServer http;
  private String base = "";
  private final List<String> forms = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> clients = new CopyOnWriteArrayList<>();
  private volatile int issued;
  private volatile int life = 3600;
  private volatile int refusal;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    base = "http://127.0.0.1:" + http.getAddress().getPort();
    http.createContext("/", this::serve);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.start();
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var answer =
          switch (exchange.getRequestURI().getPath()) {
            case "/.well-known/oauth-protected-resource/mcp" ->
                "{\"resource\":\"%s/mcp\",\"authorization_servers\":[\"%s\"]}"
                    .formatted(base, base);
            case "/.well-known/oauth-authorization-server" ->
                ("{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/authorize\",\"token_endpoint\":"
                     + "\"%s/token\",\"registration_endpoint\":\"%s/register\","
                     + "\"code_challenge_methods_supported\":[\"S256\"]}")
                    .formatted(base, base, base, base);
            case "/register" -> "{\"client_id\":\"c1\"}";
            case "/token" -> {
              var shown = exchange.getRequestHeaders().getFirst("Authorization");
              clients.add(String.valueOf(shown));
              yield token(body);
            }
            default -> "";
          };
      var bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      int status = answer.isEmpty() ? (refusal == 0 ? 400 : refusal) : 200;
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private synchronized String token(String form) {
    forms.add(form);
    boolean isKnown =
        form.contains("authorization_code") || form.contains("refresh_token=r" + issued + "&");
    if (!isKnown || refusal != 0) return "";
    issued++;
    return "{\"access_token\":\"secret-t%d\",\"refresh_token\":\"r%d\",\"expires_in\":%d}"
        .formatted(issued, issued, life);
  }

  private long renewals() {
    return forms.stream().filter(form -> form.contains("grant_type=refresh_token")).count();
  }

  /// A person who agrees at once.
  private final class Agreeing implements McpConsent {
    @Override
    public URI redirect() {
      return URI.create("http://127.0.0.1:1/callback");
    }

    @Override
    public URI visit(URI page) {
      asked.add(page.toString());
      var state =
          List.of(page.getRawQuery().split("&", -1)).stream()
              .filter(one -> one.startsWith("state="))
              .findFirst()
              .orElseThrow();
      return URI.create(redirect() + "?code=abc&" + state);
    }
  }

  private Path file() {
    return folder.resolve("deep/tokens");
  }

  private McpOAuth process(McpConsent consent) {
    return McpOAuth.of(URI.create(base + "/mcp"), consent).tokens(McpTokens.in(file(), KEYS));
  }

  @Test
  void a_new_process_asks_nobody_again() throws Exception {
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    assertThat(process(McpConsent.nobody()).token()).contains("secret-t1");
    // Nor does one that has to renew.
    var later = process(McpConsent.nobody());
    assertThat(later.token()).isPresent();
    assertThat(later.refresh("Bearer error=\"invalid_token\"")).isTrue();
    assertThat(later.token()).contains("secret-t2");
    assertThat(process(McpConsent.nobody()).token()).contains("secret-t2");
    assertThat(asked).hasSize(1);
  }

  @Test
  void the_file_is_for_its_owner_alone_and_shows_nothing_without_the_key() throws Exception {
    var oauth = process(new Agreeing());
    assertThat(oauth.refresh("")).isTrue();
    for (var name : List.of("tokens", "tokens.lock", "tokens.renewal.lock")) {
      var text = Files.readString(file().resolveSibling(name), StandardCharsets.ISO_8859_1);
      assertThat(text).doesNotContain("secret-t1").doesNotContain(base);
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-------");
    var grant = McpTokens.in(file(), KEYS).find(URI.create(base + "/mcp")).orElseThrow();
    assertThat(grant.secret().text()).contains("secret-t1");
    assertThat(List.of(oauth, grant, McpTokens.in(file(), KEYS)).toString())
        .doesNotContain("secret-t1");
    var key = new byte[KeyRing.KEY_BYTES];
    key[0] = 1;
    var other = McpTokens.in(file(), KeyRing.of("k", key));
    assertThatThrownBy(() -> other.find(URI.create(base + "/mcp")))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("Repair or remove")
        .hasMessageNotContaining("secret-t1");
  }

  @Test
  void tokens_are_those_of_one_address() throws Exception {
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    var other =
        McpOAuth.of(URI.create(base + "/other"), McpConsent.nobody())
            .tokens(McpTokens.in(file(), KEYS));
    assertThat(other.token()).isEmpty();
    // Nor are they those of another program.
    assertThat(process(McpConsent.nobody()).client("c2", "").token()).isEmpty();
  }

  @Test
  void a_secret_that_was_replaced_is_not_used_for_what_was_granted_before() throws Exception {
    assertThat(process(new Agreeing()).client("c2", "old").refresh("")).isTrue();
    var later = process(McpConsent.nobody()).client("c2", "new");
    assertThat(later.token()).contains("secret-t1");
    assertThat(later.refresh("")).isTrue();
    var basic =
        "Basic " + Base64.getEncoder().encodeToString("c2:new".getBytes(StandardCharsets.UTF_8));
    assertThat(clients.getLast()).isEqualTo(basic);
  }

  @Test
  void two_processes_renew_a_token_once() throws Exception {
    life = 1;
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    life = 3600;
    var started = new ArrayList<Process>();
    for (int i = 0; i < 2; i++) {
      var path =
          System.getProperty("java.class.path")
              + File.pathSeparator
              + System.getProperty("jdk.module.path", "");
      var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      started.add(
          new ProcessBuilder(
                  java,
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  path,
                  TokenProgram.class.getName(),
                  file().toString(),
                  base + "/mcp")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    }
    for (var process : started) {
      assertThat(process.inputReader().readLine()).isEqualTo("secret-t2");
    }
    assertThat(renewals()).isEqualTo(1);
  }

  @Test
  void two_connections_of_a_process_renew_a_token_once() throws Exception {
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    var first = process(McpConsent.nobody());
    var second = process(McpConsent.nobody());
    assertThat(first.token()).isEqualTo(second.token());
    assertThat(first.refresh("")).isTrue();
    // The server refuses the old token of the second one, too, which takes what the first one got.
    assertThat(second.refresh("")).isTrue();
    assertThat(second.token()).contains("secret-t2");
    assertThat(renewals()).isEqualTo(1);
  }

  @Test
  void a_service_that_is_out_of_order_takes_nothing_away() throws Exception {
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    refusal = 503;
    var unlucky = process(new Agreeing());
    assertThat(unlucky.token()).contains("secret-t1");
    assertThatThrownBy(() -> unlucky.refresh(""))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("503");
    refusal = 0;
    var later = process(McpConsent.nobody());
    assertThat(later.token()).contains("secret-t1");
    assertThat(later.refresh("")).isTrue();
    assertThat(asked).hasSize(1);
  }

  @Test
  void a_renewal_that_is_refused_asks_a_person_if_there_is_one() throws Exception {
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    issued = 7;
    var alone = process(McpConsent.nobody());
    assertThat(alone.token()).contains("secret-t1");
    assertThatThrownBy(() -> alone.refresh(""))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("a person has to agree on a page of 127.0.0.1");
    assertThat(process(new Agreeing()).refresh("")).isTrue();
    assertThat(asked).hasSize(2);
  }

  @Test
  void a_change_that_fails_changes_nothing() throws Exception {
    var tokens = McpTokens.in(file(), KEYS);
    var server = URI.create(base);
    var grant = McpGrant.of(Json.parse("{\"token\":\"a\"}"));
    assertThat(tokens.change(server, _ -> Optional.of(grant))).contains(grant);
    assertThatThrownBy(() ->
            tokens.change(
                server,
                _ -> {
                  throw new IllegalStateException("no");
                }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(tokens.find(server)).contains(grant);
    assertThat(tokens.change(server, _ -> Optional.empty())).isEmpty();
    assertThat(tokens.find(server)).isEmpty();
  }

  @Test
  void what_is_granted_to_a_server_of_a_file_ends_with_its_confirmation() throws Exception {
    var file = Files.writeString(folder.resolve(".mcp.json"), "{}");
    var trust = McpTrust.in(folder.resolve("settings"));
    var entry = McpEntry.of("far", Json.of(Map.of("url", base + "/mcp", "oauth", true)));
    var server = URI.create(base + "/mcp");
    var grant = McpGrant.of(Json.parse("{\"token\":\"a\"}"));
    trust.tokens(file, entry).change(server, _ -> Optional.of(grant));
    assertThat(McpTrust.in(folder.resolve("settings")).tokens(file, entry).find(server))
        .contains(grant);
    assertThat(trust.withdraw(file, "far")).isFalse();
    assertThat(trust.tokens(file, entry).find(server)).isEmpty();
    try (var all = Files.walk(folder.resolve("settings"))) {
      for (var one : all.filter(Files::isRegularFile).toList()) {
        if (one.toString().endsWith(".lock")) continue;
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
            .as(one.toString())
            .isEqualTo("rw-------");
      }
    }
  }
}
