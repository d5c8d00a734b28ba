package dev.superstep.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files by which operators start the server, against what the server does.
@Tag("SV11")
class ServerUnitsTest {
  private static final Path RELEASE = Commands.root().resolve("release");

  @TempDir Path temp;

  /// Less would kill it while supersteps are being saved.
  @Test
  void systemd_waits_longer_for_the_server_than_the_server_for_its_runs() throws Exception {
    var unit = Files.readString(RELEASE.resolve("systemd/superstep-serve.service"));
    int waits = Integer.parseInt(found("TimeoutStopSec=(\\d+)", unit));
    var settings =
        Files.readString(
            Commands.root()
                .resolve("superstep-cli/src/main/java/dev/superstep/cli/host/ServerSetting.java"));
    int drains = Integer.parseInt(found("DRAIN_SECONDS\\(\"(\\d+)\"\\)", settings));
    assertThat(waits).isGreaterThan(drains + 10);
    var image = Files.readString(RELEASE.resolve("Containerfile.serve"));
    assertThat(Integer.parseInt(found("--stop-timeout (\\d+)", image))).isEqualTo(waits);
  }

  /// The check of the image, against a server that answers 200 and one that answers 503.
  @Test
  void the_health_check_of_the_image_needs_no_more_than_a_shell() throws Exception {
    var script = RELEASE.resolve("health.sh").toString();
    assertThat(Files.readString(RELEASE.resolve("Containerfile.serve")))
        .contains("/opt/superstep/lib/health.sh");
    var status = new AtomicInteger(200);
    var paths = new ConcurrentLinkedQueue<String>();
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          paths.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    server.start();
    var port = Integer.toString(server.getAddress().getPort());
    try {
      assertThat(health(port, script)).isZero();
      status.set(503);
      assertThat(health(port, script)).isEqualTo(1);
      assertThat(paths).containsExactly("/health/ready", "/health/ready");
    } finally {
      server.stop(0);
    }
    assertThat(health(port, script)).isEqualTo(1);
  }

  private int health(String port, String script) throws Exception {
    return Commands.in(temp).with("SUPERSTEP_SERVER_PORT", port).run(script).exit();
  }

  private static String found(String pattern, String text) {
    var matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }
}
