package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A client of server-sent events, by HTTP.
final class SseClient implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Supplier<String> port;

  SseClient(Supplier<String> port) {
    this.port = port;
  }

  /// A server-sent event as a client gets it.
  record Received(String id, String name, Json data) {}

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port.get() + path));
  }

  private HttpResponse<InputStream> open(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofInputStream());
  }

  HttpResponse<InputStream> post(String path, String body)
      throws IOException, InterruptedException {
    return open(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  HttpResponse<InputStream> get(String path) throws IOException, InterruptedException {
    return open(request(path));
  }

  HttpResponse<InputStream> again(String path, String last)
      throws IOException, InterruptedException {
    return open(request(path).header("Last-Event-ID", last));
  }

  static List<Received> all(HttpResponse<InputStream> response) throws IOException {
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/event-stream");
    var events = new ArrayList<Received>();
    try (var lines = lines(response)) {
      for (var event = next(lines); event != null; event = next(lines)) events.add(event);
    }
    return events;
  }

  static BufferedReader lines(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  static @Nullable Received next(BufferedReader lines) throws IOException {
    var fields = new HashMap<String, String>();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty() && fields.containsKey("data")) {
        return new Received(
            fields.getOrDefault("id", ""), fields.get("event"), Json.parse(fields.get("data")));
      }
      int colon = line.indexOf(':');
      if (colon > 0) fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return null;
  }

  static List<String> names(List<Received> events) {
    return events.stream().map(Received::name).toList();
  }

  /// Ends streams that a client that went away left open.
  @Override
  public void close() {
    client.shutdownNow();
  }
}
