package dev.superstep.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.options.ServerOptions;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/// Pages in browsers, which may be anybody's.
@Tag("SV3")
final class OriginsTest {
  private static final String CHAT = "https://chat.example.com";
  private static final ServerOptions WITH_CHAT = ServerOptions.defaults().withOrigins(Set.of(CHAT));

  private static Routes routes() {
    return new Routes()
        .on("GET", "/thing", _ -> Reply.ok(JsonNodeFactory.instance.numberNode(1)))
        .on("POST", "/thing", _ -> Reply.nothing());
  }

  @Test
  void a_page_of_another_origin_is_refused_unless_it_is_listed() throws Exception {
    try (var server = RunningServer.of(routes(), WITH_CHAT)) {
      assertThat(post(server, "Origin: https://evil.example.com")).startsWith("HTTP/1.1 403");
      assertThat(post(server, "Origin: null")).startsWith("HTTP/1.1 403");
      assertThat(post(server, "Origin: https://chat.example.com.evil.org"))
          .startsWith("HTTP/1.1 403");
      assertThat(post(server, "Origin: " + CHAT))
          .startsWith("HTTP/1.1 204")
          .contains("Access-Control-Allow-Origin: " + CHAT)
          .contains("Content-Location, Location, X-Pagination-Total, X-Pagination-Next");
    }
  }

  @Test
  void the_pages_of_the_server_itself_may_use_it() throws Exception {
    try (var server = RunningServer.of(routes())) {
      assertThat(post(server, "Origin: http://localhost")).startsWith("HTTP/1.1 204");
      assertThat(post(server, "Origin: http://localhost:81")).startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void a_browser_that_names_no_origin_but_comes_from_another_site_may_only_look() throws Exception {
    try (var server = RunningServer.of(routes())) {
      assertThat(post(server, "Sec-Fetch-Site: cross-site")).startsWith("HTTP/1.1 403");
      assertThat(post(server, "Sec-Fetch-Site: same-site")).startsWith("HTTP/1.1 403");
      assertThat(post(server, "Sec-Fetch-Site: same-origin")).startsWith("HTTP/1.1 204");
      assertThat(
              server.raw(
                  "GET /thing HTTP/1.1",
                  "Host: localhost",
                  "Sec-Fetch-Site: cross-site",
                  "Connection: close"))
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void a_listed_page_may_ask_what_it_can_send() throws Exception {
    try (var server = RunningServer.of(routes(), WITH_CHAT)) {
      assertThat(preflight(server, CHAT))
          .startsWith("HTTP/1.1 204")
          .contains("Access-Control-Allow-Origin: " + CHAT)
          .contains("Access-Control-Allow-Methods: GET, HEAD, OPTIONS, POST")
          .contains("Access-Control-Allow-Headers: content-type, x-api-key");
      assertThat(preflight(server, "https://evil.example.com"))
          .startsWith("HTTP/1.1 403")
          .doesNotContain("Access-Control");
    }
  }

  private static String preflight(RunningServer server, String origin) throws Exception {
    return server.raw(
        "OPTIONS /thing HTTP/1.1",
        "Host: localhost",
        "Origin: " + origin,
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type, x-api-key",
        "Connection: close");
  }

  @Test
  void a_name_that_somebody_else_gave_to_this_machine_is_refused() throws Exception {
    try (var server = RunningServer.of(routes())) {
      assertThat(host(server, "rebound.evil.example.com")).startsWith("HTTP/1.1 403");
      assertThat(host(server, "localhost.evil.example.com:2024")).startsWith("HTTP/1.1 403");
      assertThat(host(server, "localhost:2024")).startsWith("HTTP/1.1 200");
      assertThat(host(server, "agent.localhost")).startsWith("HTTP/1.1 200");
      assertThat(host(server, "127.0.0.1:1")).startsWith("HTTP/1.1 200");
      assertThat(host(server, "[::1]:2024")).startsWith("HTTP/1.1 200");
    }
    var named = ServerOptions.defaults().withHosts(Set.of("agents.example.com"));
    try (var server = RunningServer.of(routes(), named)) {
      assertThat(host(server, "Agents.example.com")).startsWith("HTTP/1.1 200");
    }
  }

  private static String host(RunningServer server, String host) throws Exception {
    return server.raw("GET /thing HTTP/1.1", "Host: " + host, "Connection: close");
  }

  private static String post(RunningServer server, String header) throws Exception {
    return server.raw(
        "POST /thing HTTP/1.1",
        "Host: localhost",
        header,
        "Content-Length: 0",
        "Connection: close");
  }
}
