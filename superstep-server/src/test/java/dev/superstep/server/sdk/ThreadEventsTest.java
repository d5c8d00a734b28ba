package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.test.postgres.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The events of a thread from several server processes on one PostgreSQL.
@Timeout(180)
class ThreadEventsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String CHANNELS = "\"channels\":[\"lifecycle\",\"values\",\"checkpoints\"]";

  private final HttpClient http = HttpClient.newHttpClient();

  private HttpRequest request(URI server, String path, String body) {
    return HttpRequest.newBuilder(server.resolve(path))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /// A stream of events that is open.
  private record Events(BufferedReader lines) implements AutoCloseable {
    JsonNode next() throws IOException {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) return JSON.readTree(line.substring("data: ".length()));
      }
      throw new IOException("the stream has ended");
    }

    List<JsonNode> toTheEnd() throws IOException {
      var all = new ArrayList<JsonNode>();
      while (all.isEmpty() || !isEnd(all.getLast())) all.add(next());
      return all;
    }

    private static boolean isEnd(JsonNode event) {
      return event.path("method").asString().equals("lifecycle")
          && !status(event).equals("running");
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  private static String status(JsonNode event) {
    return event.path("params").path("data").path("event").asString("");
  }

  private Events open(URI server, String thread, String since) throws Exception {
    var request =
        request(server, "/threads/" + thread + "/stream/events", "{" + CHANNELS + since + "}");
    var response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    return new Events(
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
  }

  private JsonNode start(URI server, String thread) throws Exception {
    var body =
        """
        {"id":1,"method":"run.start","params":{"assistant_id":"counting","input":{"seen":[]}}}
        """;
    var response =
        http.send(
            request(server, "/threads/" + thread + "/commands", body),
            HttpResponse.BodyHandlers.ofString());
    return JSON.readTree(response.body());
  }

  @Test
  void whoever_runs_a_thread_and_whoever_is_asked_tells_the_same_events_under_the_same_numbers()
      throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    var thread = UUID.randomUUID().toString();
    try (var first = FixtureServer.start(database);
        var second = FixtureServer.start(database);
        var events = open(second.address(), thread, "")) {
      assertThat(start(first.address(), thread).path("type").asString()).isEqualTo("success");
      var told = new ArrayList<JsonNode>();
      while (told.size() < 12) told.add(events.next());
      // Another process goes on with the run.
      first.kill();
      told.addAll(events.toTheEnd());
      check(told);
      for (int i = 0; i < told.size() - 1; i += 3) {
        var since = ",\"since\":" + told.get(i).path("seq");
        try (var rest = open(second.address(), thread, since)) {
          assertThat(rest.toTheEnd()).isEqualTo(told.subList(i + 1, told.size()));
        }
      }
    }
  }

  private static void check(List<JsonNode> told) {
    var places = told.stream().map(event -> event.path("seq").longValue()).toList();
    assertThat(places).isEqualTo(places.stream().sorted().distinct().toList());
    assertThat(status(told.getFirst())).isEqualTo("running");
    assertThat(status(told.getLast())).isEqualTo("completed");
    int seen = 0;
    for (var event : told) {
      if (!event.path("method").asString().equals("values")) continue;
      int now = event.path("params").path("data").path("seen").size();
      assertThat(now).as("values never go back").isGreaterThanOrEqualTo(seen);
      seen = now;
    }
    assertThat(seen).isEqualTo(FixtureGraphs.STEPS);
  }
}
