package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.test.postgres.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A database that is restarted, or crashes, under a server whose runs stream.
@Timeout(3_600)
@Tag("SV15")
class DatabaseRestartTest {
  private static final int TIMES = Integer.getInteger("superstep.databaseRestarts", 1);
  private static final int RUNS = Integer.getInteger("superstep.serverRuns", 10);

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void no_run_is_lost_and_the_server_recovers() throws Exception {
    var random = new Random(7);
    try (var postgres = PostgresServer.start(PostgresServer.Durability.SYNCED);
        var server =
            FixtureServer.start(postgres.freshDatabase(), FixtureProcess.plain().impatient())) {
      for (int i = 0; i < TIMES; i++) {
        try (var runs = CountingRuns.begun(RUNS, server::address)) {
          runs.awaitEvents(random.nextInt(FixtureGraphs.STEPS));
          if (i % 2 == 0) postgres.kill();
          else postgres.stop();
          assertThat(ready(server.address())).isEqualTo(503);
          assertThat(answer(server.address(), "/health/live")).isEqualTo(200);
          postgres.restart();
          runs.checkStreams();
          runs.checkEnds(server.address());
        }
        assertThat(ready(server.address())).isEqualTo(200);
      }
    }
  }

  private int ready(URI server) throws IOException, InterruptedException {
    return answer(server, "/health/ready");
  }

  private int answer(URI server, String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.resolve(path)).GET().build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
