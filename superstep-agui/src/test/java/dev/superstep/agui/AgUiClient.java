package dev.superstep.agui;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Sends inputs and reads events as text, as no client library would.
record AgUiClient(URI server, String key) implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  AgUiClient(URI server) {
    this(server, "");
  }

  /// An input.
  ///
  /// @param more further fields, each after a comma; or empty
  static String input(String thread, String run, String messages, String more) {
    return """
    {"threadId": "%s", "runId": "%s", "protocolVersion": "1.0", "messages": [%s]%s}
    """
        .formatted(thread, run, messages, more);
  }

  static String user(String id, String text) {
    return "{\"id\": \"%s\", \"role\": \"user\", \"content\": \"%s\"}".formatted(id, text);
  }

  static String tool(String id, String call, String text) {
    return "{\"id\": \"%s\", \"role\": \"tool\", \"toolCallId\": \"%s\", \"content\": \"%s\"}"
        .formatted(id, call, text);
  }

  private HttpRequest request(String agent, String input) {
    var request =
        HttpRequest.newBuilder(server.resolve("/agui/" + agent))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(input));
    if (!key.isEmpty()) request.header("x-api-key", key);
    return request.build();
  }

  HttpResponse<String> send(String agent, String input) throws Exception {
    return HTTP.send(request(agent, input), BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  /// The events of a run that is not refused.
  List<JsonNode> run(String agent, String input) throws Exception {
    var response = send(agent, input);
    if (response.statusCode() != 200) throw new AssertionError(response.body());
    var events = new ArrayList<JsonNode>();
    for (var line : response.body().lines().toList()) {
      if (line.startsWith("data: ")) events.add(JSON.readTree(line.substring(6)));
    }
    return events;
  }

  /// An open stream of a run.
  record Open(BufferedReader lines) implements AutoCloseable {
    /// Reads up to an event of a type.
    JsonNode await(String type) throws IOException {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("data: ")) continue;
        var event = JSON.readTree(line.substring(6));
        if (event.path("type").asString("").equals(type)) return event;
      }
      throw new AssertionError("the stream has ended without " + type);
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }

  Open open(String agent, String input) throws Exception {
    var response = HTTP.send(request(agent, input), BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) throw new AssertionError("status " + response.statusCode());
    return new Open(
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
  }

  static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asString("")).toList();
  }

  static JsonNode only(List<JsonNode> events, String type) {
    var found = events.stream().filter(one -> one.path("type").asString("").equals(type)).toList();
    if (found.size() == 1) return found.getFirst();
    throw new AssertionError(found.size() + " events of " + type + " in " + events);
  }

  static String text(List<JsonNode> events) {
    var text = new StringBuilder();
    for (var event : events) {
      if (event.path("type").asString("").equals("TEXT_MESSAGE_CONTENT")) {
        text.append(event.path("delta").asString(""));
      }
    }
    return text.toString();
  }

  @Override
  public void close() {}
}
