package dev.superstep.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.log.RequestLog.Ending;
import dev.superstep.server.options.HttpLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/// Bytes that no proper client sends.
@Tag("SV5")
final class HostileRequestsTest {
  private static final HttpLimits LIMITS =
      HttpLimits.defaults()
          .withHeaders(8_000, 20)
          .withTimes(Duration.ofSeconds(1), Duration.ofMillis(500));
  private RunningServer server;

  @BeforeEach
  void start() {
    var routes =
        new Routes()
            .on(
                "GET",
                "/things/{thing}",
                call -> Reply.ok(JsonNodeFactory.instance.stringNode(call.part("thing"))))
            .on("POST", "/echo", call -> Reply.ok(call.body()));
    server = RunningServer.of(routes, LIMITS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void paths_that_climb_or_are_malformed_are_refused() throws Exception {
    for (var path :
        List.of(
            "/things/../things/1",
            "/things/%2e%2e",
            "/things/.",
            "/things/%zz",
            "/things/%4",
            "/things/%00",
            "/things/a%0d%0ab",
            "/things/%c3%28",
            "/things/%c0%af",
            "/things/\u00e4",
            "/a".repeat(40))) {
      assertThat(status(path)).as(path).isEqualTo(400);
    }
  }

  @Test
  void an_encoded_slash_is_part_of_a_name_and_a_semicolon_too() throws Exception {
    assertThat(get("/things/a%2F..%2Fb")).endsWith("\"a/../b\"");
    assertThat(get("/things/a;b=c")).endsWith("\"a;b=c\"");
    assertThat(status("/things//1")).isEqualTo(404);
  }

  @Test
  void two_lengths_of_a_body_are_refused() throws Exception {
    assertThat(
            server.raw(
                "POST /echo HTTP/1.1", host(), "Content-Length: 2", "Content-Length: 4", "", "{}"))
        .startsWith("HTTP/1.1 400");
    assertThat(
            server.raw(
                "POST /echo HTTP/1.1",
                host(),
                "Content-Length: 2",
                "Transfer-Encoding: chunked",
                "",
                "0"))
        .startsWith("HTTP/1.1 400");
  }

  @Test
  void huge_headers_are_refused_and_so_are_many() throws Exception {
    assertThat(
            server.raw(
                "GET /things/1 HTTP/1.1", host(), "Connection: close", "X: " + "x".repeat(9_000)))
        .startsWith("HTTP/1.1 431");

    var lines = new ArrayList<>(List.of("GET /things/1 HTTP/1.1", host(), "Connection: close"));
    for (int i = 0; i < 18; i++) lines.add("X-" + i + ": 1");
    assertThat(server.raw(lines.toArray(String[]::new))).startsWith("HTTP/1.1 200");
    lines.add("X-19: 1");
    assertThat(server.raw(lines.toArray(String[]::new))).startsWith("HTTP/1.1 431");
  }

  @Test
  void garbage_behind_a_request_does_not_touch_its_answer() throws Exception {
    var all = server.raw("GET /things/1 HTTP/1.1", host(), "", "\u0001\u0002 garbage \u0003");

    assertThat(all).startsWith("HTTP/1.1 200").contains("\"1\"").contains("HTTP/1.1 400");
    assertThat(all).endsWith("{\"detail\":\"The request is no proper HTTP (400).\"}");
  }

  @Test
  void pipelined_requests_are_answered_in_their_order() throws Exception {
    var all =
        server.raw(
            "GET /things/first HTTP/1.1",
            host(),
            "",
            "GET /things/second HTTP/1.1",
            host(),
            "Connection: close");

    assertThat(all.indexOf("\"first\"")).isPositive().isLessThan(all.indexOf("\"second\""));
  }

  @Test
  void a_host_that_came_twice_or_not_at_all_is_refused() throws Exception {
    assertThat(server.raw("GET /things/1 HTTP/1.1", "Connection: close"))
        .startsWith("HTTP/1.1 400");
    assertThat(server.raw("GET /things/1 HTTP/1.1", host(), host(), "Connection: close"))
        .startsWith("HTTP/1.1 400");
  }

  @Test
  void a_client_that_stops_in_the_middle_of_a_request_is_let_go() throws Exception {
    try (var head = server.connect();
        var body = server.open("POST /echo HTTP/1.1", host(), "Content-Length: 10")) {
      head.getOutputStream().write("GET /thi".getBytes(StandardCharsets.US_ASCII));

      assertThat(head.getInputStream().readAllBytes()).isEmpty();
      body.getInputStream().readAllBytes();
      assertThat(server.nextServed().ending()).isEqualTo(Ending.ABANDONED);
    }
  }

  @Test
  void errors_of_the_http_server_itself_tell_nothing_of_it() throws Exception {
    assertThat(server.raw("NONSENSE"))
        .startsWith("HTTP/1.1 400")
        .doesNotContainIgnoringCase("jetty")
        .doesNotContain("Exception");
  }

  private int status(String path) throws Exception {
    return Integer.parseInt(get(path).substring(9, 12));
  }

  private String get(String path) throws Exception {
    return server.raw("GET " + path + " HTTP/1.1", host(), "Connection: close");
  }

  private static String host() {
    return "Host: localhost";
  }
}
