package dev.superstep.server.sdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A client that follows runs from server to server: it reads the stream of a run, and when the
/// server dies it goes on at another one after the last event that it has. For one thread.
final class StreamClient {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int TRIES = 400;
  private static final int PAUSE_MILLIS = 50;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Supplier<URI> server;
  private final List<Received> received = new ArrayList<>();
  private volatile int count;

  /// @param server one that is alive, as far as anybody knows
  StreamClient(Supplier<URI> server) {
    this.server = server;
  }

  /// Another one at the same server, which has received nothing.
  StreamClient fresh() {
    return new StreamClient(server);
  }

  /// An event of a stream.
  record Received(String id, String event, JsonNode data) {}

  /// How many events it has by now. May be asked by other threads.
  int count() {
    return count;
  }

  JsonNode post(String path, Object body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(server.get().resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    return json(http.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  /// Sends a request without a use for its answer.
  ///
  /// @return the status
  int put(String path, Object body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(server.get().resolve(path))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(server.get().resolve(path)).GET().build();
    return json(http.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    if (response.statusCode() >= 300) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    return JSON.readTree(response.body());
  }

  /// Begins a run in the background and returns it.
  JsonNode begin(String graph) throws IOException, InterruptedException {
    return begin(graph, Map.of());
  }

  JsonNode begin(String graph, Map<String, String> input) throws IOException, InterruptedException {
    var thread = post("/threads", Map.of()).path("thread_id").asString();
    var body = Map.of("assistant_id", graph, "input", input, "stream_mode", List.of("values"));
    return post("/threads/" + thread + "/runs", body);
  }

  /// Reads the whole stream of a run, over the deaths of servers.
  List<Received> follow(JsonNode run) throws InterruptedException {
    var path =
        "/threads/%s/runs/%s"
            .formatted(run.path("thread_id").asString(), run.path("run_id").asString());
    boolean wasOver = false;
    for (int i = 0; i < TRIES; i++) {
      try {
        read(path + "/stream");
        // What a dying server did not send any more is read from another one.
        if (wasOver && !received.isEmpty()) return received;
        var now = get(path);
        var status = now.path("status").asString();
        // A reply that a dying server could not finish says nothing.
        if (status.isEmpty()) throw new IOException("no status");
        boolean isOver = !status.equals("pending") && !status.equals("running");
        if (wasOver) throw new IllegalStateException("no events of " + now);
        wasOver = isOver;
      } catch (IOException | UncheckedIOException _) {
        // The server is gone; another one has the run, or will have it.
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    throw new IllegalStateException("run " + run + " did not end, it has " + received.size());
  }

  private void read(String path) throws IOException, InterruptedException {
    var last = received.isEmpty() ? "-1" : received.getLast().id();
    var request =
        HttpRequest.newBuilder(server.get().resolve(path)).header("Last-Event-ID", last).build();
    var response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) throw new IOException("status " + response.statusCode());
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      var fields = new String[] {"", "", ""};
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) fields[0] = line.substring(4);
        if (line.startsWith("event: ")) fields[1] = line.substring(7);
        if (line.startsWith("data: ")) fields[2] = line.substring(6);
        if (line.isEmpty() && !fields[1].isEmpty()) {
          received.add(new Received(fields[0], fields[1], JSON.readTree(fields[2])));
          count = received.size();
          fields = new String[] {"", "", ""};
        }
      }
    }
  }
}
