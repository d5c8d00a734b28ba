package dev.superstep.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.server.log.RequestLog.Ending;
import dev.superstep.server.options.HttpLimits;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/// Requests of proper clients, and their answers.
@Tag("H4.1")
final class RequestsTest {
  private static final HttpLimits LIMITS = HttpLimits.defaults().withBody(1_000, 20);
  private RunningServer server;

  @BeforeEach
  void start() {
    var routes =
        new Routes()
            .on("POST", "/echo", call -> Reply.ok(call.body()))
            .on("GET", "/things/{thing}", call -> Reply.ok(text(call.part("thing"))))
            .on("DELETE", "/things/{thing}", _ -> Reply.nothing())
            .on("GET", "/query", call -> Reply.ok(text(call.queries("q").toString())))
            .on("GET", "/files/{path*}", call -> Reply.ok(text(call.part("path"))))
            .on(
                "GET",
                "/broken",
                _ -> {
                  throw new IllegalStateException("secret of the server");
                })
            .on(
                "GET",
                "/refused",
                _ -> {
                  throw new HttpFailure(422, "No “such” thing.");
                });
    server = RunningServer.of(routes, LIMITS);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static tools.jackson.databind.JsonNode text(String text) {
    return JsonNodeFactory.instance.stringNode(text);
  }

  private static String detail(HttpResponse<String> answer) {
    return JsonMapper.shared().readTree(answer.body()).path("detail").asString();
  }

  @Test
  void json_comes_back_digit_for_digit() throws Exception {
    var body = "{\"a\":[1,2.50,12345678901234567890123,null,true],\"b\":\"ä\u2028\"}";

    var answer = server.post("/echo", body);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(body);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
  }

  @Test
  void parts_of_a_path_are_decoded_once() throws Exception {
    assertThat(server.get("/things/a%20b%2Fc%252F").body()).isEqualTo("\"a b/c%2F\"");
    assertThat(server.get("/things/%E2%80%A8").body()).isEqualTo("\"\u2028\"");
    assertThat(server.get("/files/assets/app.js").body()).isEqualTo("\"assets/app.js\"");
    assertThat(server.get("/query?q=1+2&q=%26&r=3").body()).isEqualTo("\"[1 2, &]\"");
  }

  @Test
  void an_answer_before_the_body_of_its_request_says_that_the_connection_ends() throws Exception {
    var answer = server.raw("POST /nothing HTTP/1.1", "Host: localhost", "Content-Length: 2");

    assertThat(answer).startsWith("HTTP/1.1 404").contains("\r\nConnection: close\r\n");
    assertThat(server.post("/echo", "{}").headers().firstValue("connection")).isEmpty();
  }

  @Test
  void an_unknown_path_is_404_and_another_method_405_with_those_allowed() throws Exception {
    assertThat(server.get("/nothing").statusCode()).isEqualTo(404);

    var other = server.post("/things/1", "{}");
    assertThat(other.statusCode()).isEqualTo(405);
    assertThat(other.headers().firstValue("allow")).hasValue("DELETE, GET");
  }

  @Test
  void options_says_what_a_path_takes_and_head_sends_no_body() throws Exception {
    var options = server.send(server.request("/things/1").method("OPTIONS", noBody()));
    assertThat(options.statusCode()).isEqualTo(204);
    assertThat(options.headers().firstValue("allow")).hasValue("DELETE, GET, HEAD, OPTIONS");

    var head = server.send(server.request("/things/1").method("HEAD", noBody()));
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("content-length")).hasValue("3");
    assertThat(head.body()).isEmpty();
  }

  private static HttpRequest.BodyPublisher noBody() {
    return HttpRequest.BodyPublishers.noBody();
  }

  @Test
  void a_refusal_is_a_detail_in_json_which_clients_show() throws Exception {
    var answer = server.get("/refused");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(answer.body()).isEqualTo("{\"detail\":\"No “such” thing.\"}");
    assertThat(answer.headers().firstValue("retry-after")).isEmpty();
  }

  @Test
  @Tag("SV5")
  void a_failure_of_the_server_shows_an_id_and_nothing_else() throws Exception {
    var answer = server.get("/broken");

    var served = server.nextServed();
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(detail(answer))
        .isEqualTo("The server failed; its log has the cause under the id " + served.id() + ".");
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(served.ending()).isEqualTo(Ending.FAILED);
    assertThat(served.route()).isEqualTo("/broken");
  }

  @Test
  void a_body_that_is_no_json_is_refused_with_the_place() throws Exception {
    for (var body : List.of("{", "{\"a\":1} x", "{\"a\":1,\"a\":2}", "NaN", "{'a':1}")) {
      var answer = server.post("/echo", body);

      assertThat(answer.statusCode()).as(body).isEqualTo(400);
      assertThat(detail(answer)).as(body).startsWith("The body is no proper JSON. See line 1");
    }
  }

  @Test
  @Tag("SV5")
  void bodies_have_limits() throws Exception {
    assertThat(server.post("/echo", "\"" + "x".repeat(998) + "\"").statusCode()).isEqualTo(200);
    assertThat(server.post("/echo", "\"" + "x".repeat(999) + "\"").statusCode()).isEqualTo(413);
    assertThat(server.post("/echo", nested(20)).statusCode()).isEqualTo(200);
    assertThat(server.post("/echo", nested(21)).statusCode()).isEqualTo(413);
    assertThat(server.post("/echo", "x".repeat(100_000)).statusCode()).isEqualTo(413);
  }

  @Test
  void a_number_that_is_too_long_is_refused() throws Exception {
    server.close();
    server = RunningServer.of(new Routes().on("POST", "/echo", call -> Reply.ok(call.body())));

    assertThat(server.post("/echo", "1".repeat(1_000)).statusCode()).isEqualTo(200);
    assertThat(server.post("/echo", "1".repeat(1_001)).statusCode()).isEqualTo(413);
  }

  @Test
  void every_answer_has_the_headers_that_keep_browsers_careful() throws Exception {
    for (var path : List.of("/things/1", "/nothing", "/broken")) {
      var headers = server.get(path).headers();

      assertThat(headers.firstValue("x-content-type-options")).hasValue("nosniff");
      assertThat(headers.firstValue("x-frame-options")).hasValue("DENY");
      assertThat(headers.firstValue("referrer-policy")).hasValue("no-referrer");
      assertThat(headers.firstValue("cache-control")).hasValue("no-store");
      assertThat(headers.firstValue("x-request-id")).isPresent();
      assertThat(headers.firstValue("server")).isEmpty();
    }
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }
}
