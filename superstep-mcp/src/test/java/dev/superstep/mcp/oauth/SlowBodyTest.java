package dev.superstep.mcp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.mcp.McpFailed;
import dev.superstep.mcp.McpLimits;
import dev.superstep.mcp.McpServer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that send their headers at once and their bodies for ever.
@Timeout(30)
final class SlowBodyTest {
  private static final String JSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json";
  private static final String ERROR = "HTTP/1.1 500 Error\r\nContent-Type: application/json";
  private static final Duration SHORT = Duration.ofMillis(400);

  private static McpServer server(DrippingServer slow) {
    return McpServer.http("slow", slow.address())
        .limits(McpLimits.standard().times(SHORT, SHORT, SHORT));
  }

  @Test
  void a_service_that_drips_its_metadata_is_given_up_in_time() throws Exception {
    try (var slow = new DrippingServer(JSON)) {
      var request = HttpRequest.newBuilder(slow.address()).build();
      assertThatThrownBy(() -> OAuthHttp.sent(request, SHORT))
          .isInstanceOf(OAuthFailed.class)
          .hasMessageContaining("did not answer within 400 ms");
      assertThat(slow.left().await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_server_that_drips_its_answer_is_given_up_in_time() throws Exception {
    for (var head : new String[] {JSON, ERROR}) {
      try (var slow = new DrippingServer(head)) {
        assertThatThrownBy(() -> server(slow).connect()).isInstanceOf(McpFailed.NotConnected.class);
        assertThat(slow.left().await(20, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void a_body_that_is_too_long_is_not_read_to_its_end() throws Exception {
    var head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX: " + "x".repeat(100);
    try (var slow = new DrippingServer(head)) {
      var small = McpLimits.standard().messageBytes(2);
      assertThatThrownBy(() -> McpServer.http("slow", slow.address()).limits(small).connect())
          .isInstanceOf(McpFailed.Misbehaved.class)
          .hasMessageContaining("more than 2 bytes");
      assertThat(slow.left().await(20, TimeUnit.SECONDS)).isTrue();
    }
  }
}
