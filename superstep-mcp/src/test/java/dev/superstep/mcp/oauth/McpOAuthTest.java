package dev.superstep.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Access by OAuth: what a service, a server or somebody in between may say, and what it gets.
@Timeout(60)
final class McpOAuthTest {
  private HttpServer http;
  private String base = "";
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private String issuer = "";
  private String resource = "";
  private String methods = "\"S256\"";
  private String life = "";
  private String naming = "";

  @BeforeEach
  void start() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    base = "http://127.0.0.1:" + http.getAddress().getPort();
    issuer = base;
    resource = base + "/mcp";
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
      var path = exchange.getRequestURI().getPath();
      heard.add(path + " " + body);
      var answer =
          switch (path) {
            case "/.well-known/oauth-protected-resource/mcp" ->
                "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\"]}"
                    .formatted(resource, base);
            case "/.well-known/oauth-authorization-server" -> metadata();
            case "/register" -> "{\"client_id\":\"c1\"}";
            case "/token" ->
                "{\"access_token\":\"t%d\",\"refresh_token\":\"r\",\"token_type\":\"Bearer\"%s}"
                    .formatted(tokens(), life);
            default -> "";
          };
      var bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(
          answer.isEmpty() ? 404 : 200, answer.isEmpty() ? -1 : bytes.length);
      if (!answer.isEmpty()) exchange.getResponseBody().write(bytes);
    }
  }

  private String metadata() {
    return ("{\"issuer\":\"%s\",\"authorization_endpoint\":\"%s/authorize\",\"token_endpoint\":"
            + "\"%s/token\",\"registration_endpoint\":\"%s/register\","
            + "\"code_challenge_methods_supported\":[%s]%s}")
        .formatted(issuer, base, base, base, methods, naming);
  }

  private long tokens() {
    return heard.stream().filter(line -> line.startsWith("/token")).count();
  }

  /// A person who agrees at once.
  ///
  /// @param change of the query that the browser comes back with
  private record Agreeing(UnaryOperator<String> change, AtomicReference<URI> page)
      implements McpConsent {
    static Agreeing plainly() {
      return new Agreeing(query -> query, new AtomicReference<>());
    }

    @Override
    public URI redirect() {
      return URI.create("http://127.0.0.1:1/callback");
    }

    @Override
    public URI visit(URI shown) {
      page.set(shown);
      var state =
          List.of(shown.getRawQuery().split("&", -1)).stream()
              .filter(one -> one.startsWith("state="))
              .findFirst()
              .orElseThrow();
      return URI.create(redirect() + "?" + change.apply("code=abc&" + state));
    }
  }

  private McpOAuth oauth(McpConsent consent) {
    return McpOAuth.of(URI.create(base + "/mcp"), consent);
  }

  @Test
  void a_person_agrees_once_and_the_token_is_used_and_renewed() throws Exception {
    var person = Agreeing.plainly();
    var oauth = oauth(person);
    assertThat(oauth.token()).isEmpty();
    assertThat(oauth.refresh("Bearer")).isTrue();
    assertThat(oauth.token()).contains("t1");
    assertThat(person.page().get().getRawQuery())
        .contains("code_challenge_method=S256", "client_id=c1", "resource=");
    // The server refuses it later: it is renewed, and nobody is asked.
    person.page().set(null);
    assertThat(oauth.refresh("Bearer error=\"invalid_token\"")).isTrue();
    assertThat(oauth.token()).contains("t2");
    assertThat(person.page().get()).isNull();
    assertThat(heard).anyMatch(line -> line.contains("grant_type=refresh_token"));
    assertThat(oauth).asString().doesNotContain("t2");
  }

  @Test
  void a_token_whose_time_is_over_is_renewed_before_it_is_sent() throws Exception {
    life = ",\"expires_in\":1";
    var oauth = oauth(Agreeing.plainly());
    var _ = oauth.refresh("");
    life = "";
    assertThat(oauth.token()).contains("t2");
    assertThat(oauth.token()).contains("t2");
  }

  @Test
  void an_answer_of_another_request_or_service_is_refused() {
    for (UnaryOperator<String> change :
        List.<UnaryOperator<String>>of(
            query -> query.replace("state=", "state=x"),
            query -> query + "&iss=https%3A%2F%2Fevil.example",
            _ -> "code=abc")) {
      var oauth = oauth(new Agreeing(change, new AtomicReference<>()));
      assertThatThrownBy(() -> oauth.refresh("")).isInstanceOf(OAuthFailed.class);
    }
    assertThat(tokens()).isZero();
  }

  @Test
  void a_service_that_names_itself_in_its_answers_must_do_so() throws Exception {
    naming = ",\"authorization_response_iss_parameter_supported\":true";
    assertThatThrownBy(() -> oauth(Agreeing.plainly()).refresh(""))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("another service");
    assertThat(tokens()).isZero();
    UnaryOperator<String> named =
        query -> query + "&iss=" + java.net.URLEncoder.encode(base, StandardCharsets.UTF_8);
    assertThat(oauth(new Agreeing(named, new AtomicReference<>())).refresh("")).isTrue();
    assertThat(heard).anyMatch(line -> line.startsWith("/register") && line.contains("\"native\""));
  }

  @Test
  void metadata_of_others_is_refused() {
    resource = "https://other.example/mcp";
    assertThatThrownBy(() -> oauth(Agreeing.plainly()).refresh(""))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("other.example");
    resource = base + "/mcp";
    issuer = "https://evil.example";
    assertThatThrownBy(() -> oauth(Agreeing.plainly()).refresh(""))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("another's");
    assertThat(tokens()).isZero();
  }

  @Test
  void a_service_without_PKCE_is_refused() {
    methods = "\"plain\"";
    assertThatThrownBy(() -> oauth(Agreeing.plainly()).refresh(""))
        .isInstanceOf(OAuthFailed.class)
        .hasMessageContaining("PKCE");
  }

  @Test
  void secrets_are_sent_over_TLS_or_to_this_machine_only() {
    for (var bad : List.of("http://evil.example/token", "ftp://x/y", "https://u:p@x/y", "")) {
      assertThatThrownBy(() -> OAuthHttp.checked(bad)).isInstanceOf(OAuthFailed.class);
    }
    assertThat(OAuthHttp.checked("https://login.example/token")).hasHost("login.example");
  }

  @Test
  void a_refusal_for_another_reason_asks_nobody() throws Exception {
    var person = Agreeing.plainly();
    assertThat(oauth(person).refresh("Bearer error=\"invalid_request\"")).isFalse();
    assertThat(person.page().get()).isNull();
  }

  @Test
  void a_browser_on_this_machine_brings_the_code_and_others_are_refused() throws Exception {
    try (var browser = HttpClient.newHttpClient()) {
      var statuses = new CopyOnWriteArrayList<Integer>();
      McpConsent[] self = new McpConsent[1];
      self[0] =
          McpConsent.onThisMachine(_ -> {
            for (var path : List.of("/", "/callback?code=abc&state=s")) {
              Thread.ofVirtual()
                  .start(() -> get(browser, self[0].redirect().resolve(path), statuses));
            }
          });
      assertThat(self[0].visit(URI.create("https://login.example/")))
          .hasPath("/callback")
          .hasQuery("code=abc&state=s");
    }
  }

  private static void get(HttpClient browser, URI address, List<Integer> statuses) {
    try {
      var request = HttpRequest.newBuilder(address).build();
      statuses.add(browser.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    } catch (IOException | InterruptedException _) {
      statuses.add(0);
    }
  }
}
