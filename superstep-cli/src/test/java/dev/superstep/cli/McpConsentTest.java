package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.mcp.config.McpEntry;
import dev.superstep.mcp.config.McpTrust;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.mcp.oauth.McpOAuth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that wants a person's consent: what the person granted counts for later commands.
@Timeout(120)
final class McpConsentTest {
  private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

  @TempDir Path temp;
  private HttpServer http;
  private String base = "";
  private Desk desk;

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    base = "http://127.0.0.1:" + http.getAddress().getPort();
    http.createContext("/", this::serve);
    http.start();
    desk = new Desk(temp);
    desk.write(
        "home/.config/superstep/config.toml",
        "[mcp.far]\nurl = \"%s/mcp\"\noauth = true\n".formatted(base));
    desk.write("shop/empty.txt", "");
  }

  @AfterEach
  void stop() {
    http.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      var answer =
          switch (exchange.getRequestURI().getPath()) {
            case "/.well-known/oauth-authorization-server" ->
                ("{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/authorize\",\"token_endpoint\":"
                     + "\"%s/token\",\"registration_endpoint\":\"%s/register\","
                     + "\"code_challenge_methods_supported\":[\"S256\"]}")
                    .formatted(base, base, base, base);
            case "/register" -> "{\"client_id\":\"c1\"}";
            case "/token" -> "{\"access_token\":\"secret-t1\",\"refresh_token\":\"r1\"}";
            case "/mcp" -> token.equals("Bearer secret-t1") ? message(body) : "";
            default -> "";
          };
      boolean isMcp = exchange.getRequestURI().getPath().equals("/mcp");
      var bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(
          answer.isEmpty() ? (isMcp ? 401 : 404) : 200, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String message(String body) {
    var id = ID.matcher(body);
    var result =
        body.contains("\"initialize\"")
            ? "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{}}"
            : "{\"tools\":[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}}]}";
    return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}"
        .formatted(id.find() ? id.group(1) : "0", result);
  }

  /// A person who agrees at once.
  private record Agreeing() implements McpConsent {
    @Override
    public URI redirect() {
      return URI.create("http://127.0.0.1:1/callback");
    }

    @Override
    public URI visit(URI page) {
      var state =
          List.of(page.getRawQuery().split("&", -1)).stream()
              .filter(one -> one.startsWith("state="))
              .findFirst()
              .orElseThrow();
      return URI.create(redirect() + "?code=abc&" + state);
    }
  }

  private void agree() throws InterruptedException {
    var settings = desk.folder().resolve("home/.config/superstep");
    var address = URI.create(base + "/mcp");
    var entry = McpEntry.of("far", Json.of(Map.of("url", address.toString(), "oauth", true)));
    var tokens = McpTrust.in(settings).tokens(settings.resolve("config.toml"), entry);
    var _ = McpOAuth.of(address, new Agreeing()).tokens(tokens).refresh("");
  }

  @Test
  void what_a_person_granted_counts_for_later_commands_where_nobody_is() throws Exception {
    agree();
    var said = desk.piping("").run("mcp", "tools", "shop");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("far_look").doesNotContain("secret-t1");
  }

  @Test
  void where_nobody_is_and_nothing_was_granted_the_command_says_who_has_to_agree() {
    var said = desk.piping("").run("mcp", "tools", "shop");
    assertThat(said.exit()).isNotZero();
    assertThat(said.err()).contains("a person has to agree on a page of 127.0.0.1");
  }
}
