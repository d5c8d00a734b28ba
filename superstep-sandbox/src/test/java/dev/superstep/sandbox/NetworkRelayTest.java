package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("TH17")
@Timeout(120)
class NetworkRelayTest {
  private static final String GET =
      """
      use Socket; my ($url, $host) = @ARGV;
      socket(S, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
      connect(S, sockaddr_in(3128, INADDR_LOOPBACK)) or die "connect: $!";
      syswrite S, ($host ? "CONNECT $host HTTP/1.1\\r\\n\\r\\n" : "GET $url HTTP/1.1\\r\\n\\r\\n");
      if ($host) { sysread S, my $b, 999; print $b; syswrite S, "GET /x HTTP/1.0\\r\\n\\r\\n" }
      while (sysread S, my $b, 999) { print $b }
      """;

  @TempDir Path root;
  private final Sandbox sandbox = Sandbox.open();

  private String get(NetworkRelay relay, String url, String tunnel) throws InterruptedException {
    var command = SandboxCommand.of(Tier.BUBBLEWRAP, root, "perl", "-e", GET, url, tunnel);
    var result = sandbox.run(command.network(relay));
    return result.out().text() + result.err().text();
  }

  @Test
  void a_command_without_a_network_reaches_allowed_hosts_alone() throws Exception {
    assumeTrue(sandbox.machine().isAvailable(Tier.BUBBLEWRAP), "needs bubblewrap");
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 5);
          exchange.getResponseBody().write("hello".getBytes());
          exchange.close();
        });
    server.start();
    var host = "127.0.0.1:" + server.getAddress().getPort();
    try (var open = NetworkRelay.open(List.of(), List.of(host));
        var closed = NetworkRelay.open(host)) {
      assertThat(get(open, "http://" + host + "/a?b", "")).contains("200 OK").endsWith("hello");
      assertThat(get(open, "", host)).contains("200 Connection established").endsWith("hello");
      assertThat(get(open, "", "example.org:443")).contains("403").contains("is not allowed");
      assertThat(get(closed, "", host)).contains("403").contains("this machine or its network");
      assertThat(get(open, "ftp://x/", "")).contains("400");
      assertThat(open.attempts())
          .extracting(NetworkRelay.Attempt::isAllowed)
          .containsExactly(true, true, false);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void a_relay_is_refused_where_it_cannot_be_the_only_way_out() throws Exception {
    try (var relay = NetworkRelay.open("example.org:443")) {
      for (var tier : List.of(Tier.PROCESS, Tier.LANDLOCK)) {
        assertThatThrownBy(() -> sandbox.run(SandboxCommand.of(tier, root, "ls").network(relay)))
            .isInstanceOf(SandboxError.TierUnavailable.class)
            .hasMessageContaining("BUBBLEWRAP");
      }
    }
    assertThatThrownBy(() -> NetworkRelay.open("example.org"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
