package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.test.postgres.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A database that is restarted, or crashes, under a server whose runs stream.
@Timeout(3_600)
class DatabaseRestartTest {
  private static final int TIMES = Integer.getInteger("superstep.databaseRestarts", 1);
  private static final int RUNS = 20;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void no_run_is_lost_and_the_server_recovers() throws Exception {
    var random = new Random(7);
    try (var postgres = PostgresServer.start(PostgresServer.Durability.SYNCED);
        var server = FixtureServer.start(postgres.freshDatabase(), FixtureProcess.plain().impatient())) {
      for (int i = 0; i < TIMES; i++) {
        for (var end : List.<Runnable>of(postgres::kill, postgres::stop)) {
          try (var runs = CountingRuns.begun(RUNS, server::address)) {
            runs.awaitEvents(random.nextInt(FixtureGraphs.STEPS));
            end.run();
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
  }

  private int ready(URI server) throws IOException, InterruptedException {
    return answer(server, "/health/ready");
  }

  private int answer(URI server, String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.resolve(path)).GET().build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
