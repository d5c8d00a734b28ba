package dev.superstep.server.internal.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("SV6")
final class OutboundHttpTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final AddressGuard LOCAL = AddressGuard.allowing(List.of("127.0.0.0/8"));
  private final OutboundHttp http = new OutboundHttp(LOCAL);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private int post(String url) throws IOException {
    return http.post(url, Map.of("x-a", "b"), bytes("{\"ü\":1}"), LONG);
  }

  @Test
  void a_request_arrives_as_it_was_meant() throws Exception {
    try (var receiver = Receiver.answering("204 No Content")) {
      assertThat(post(receiver.url() + "/päth/a%2Fb?q=1&r=ü#part")).isEqualTo(204);
      var request = receiver.requests.getFirst();
      assertThat(request.line()).isEqualTo("POST /p%C3%A4th/a%2Fb?q=1&r=%C3%BC HTTP/1.1");
      assertThat(request.headers())
          .containsEntry("Host", "127.0.0.1:" + receiver.port())
          .containsEntry("Content-Type", "application/json")
          .containsEntry("x-a", "b");
      assertThat(request.body()).isEqualTo("{\"ü\":1}");
    }
  }

  @Test
  void a_redirect_is_an_answer_and_is_not_followed() throws Exception {
    try (var target = Receiver.answering("200 OK");
        var receiver =
            Receiver.answering(
                _ -> "HTTP/1.1 307 Moved\r\nLocation: " + target.url() + "\r\n\r\n")) {
      assertThat(post(receiver.url())).isEqualTo(307);
      assertThat(target.requests).isEmpty();
    }
  }

  @Test
  void interim_answers_are_passed_over() throws Exception {
    try (var receiver =
        Receiver.answering(_ -> "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 202 Yes\r\n\r\n")) {
      assertThat(post(receiver.url())).isEqualTo(202);
    }
  }

  @Test
  void the_name_is_looked_up_once_and_the_checked_address_is_called() throws Exception {
    try (var receiver = Receiver.answering("200 OK")) {
      var asked = new AtomicInteger();
      var rebound =
          new OutboundHttp(
              LOCAL.with(_ -> {
                boolean isFirst = asked.incrementAndGet() == 1;
                return new InetAddress[] {
                  InetAddress.ofLiteral(isFirst ? "127.0.0.1" : "10.0.0.1")
                };
              }));
      var url = "http://name.example:" + receiver.port() + "/";
      assertThat(rebound.post(url, Map.of(), bytes("{}"), LONG)).isEqualTo(200);
      assertThat(asked).hasValue(1);
      assertThat(receiver.requests.getFirst().headers())
          .containsEntry("Host", "name.example:" + receiver.port());
    }
  }

  @Test
  void a_private_address_is_not_even_connected_to() throws Exception {
    try (var receiver = Receiver.answering("200 OK")) {
      var open = new OutboundHttp(AddressGuard.allowing(List.of()));
      assertThatThrownBy(() -> open.post(receiver.url(), Map.of(), bytes("{}"), LONG))
          .isInstanceOf(ForbiddenAddress.class);
      assertThat(receiver.requests).isEmpty();
    }
  }

  @Test
  void an_answer_that_does_not_come_is_not_waited_for() {
    try (var receiver = Receiver.answering(_ -> "")) {
      assertThatThrownBy(
              () -> http.post(receiver.url(), Map.of(), bytes("{}"), Duration.ofMillis(200)))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("no answer in 200 ms");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SSH-2.0-x\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 200", "HTTP/2 200 OK\r\n"})
  void what_is_no_answer_of_http_fails(String text) {
    try (var receiver = Receiver.answering(_ -> text)) {
      assertThatThrownBy(() -> post(receiver.url())).isInstanceOf(IOException.class);
    }
  }

  @Test
  void an_endless_answer_is_cut() {
    try (var receiver = Receiver.answering(_ -> "HTTP/1.1 " + "x".repeat(100_000))) {
      assertThatThrownBy(() -> post(receiver.url()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("too long");
    }
  }

  @Test
  void a_receiver_that_does_not_speak_tls_is_refused() {
    try (var receiver = Receiver.answering("200 OK")) {
      assertThatThrownBy(() -> post("https://127.0.0.1:" + receiver.port()))
          .isInstanceOf(IOException.class);
      assertThat(receiver.requests).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/path",
        "example.com",
        "ftp://example.com",
        "file:///etc/passwd",
        "http:///x",
        "http://user:word@example.com",
        "http://example.com:0",
        "http://example.com:70000",
        "http://exa mple.com",
        "javascript:alert(1)",
        "http://ex_ample.com/"
      })
  void what_is_no_url_of_the_web_is_refused(String url) {
    assertThatThrownBy(() -> OutboundHttp.check(url)).isInstanceOf(IllegalArgumentException.class);
  }
}
