package dev.superstep.a2a;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Sends requests of the HTTP+JSON binding as text, as no client library would.
record RestRequests(URI server, String key) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();
  private static final String TYPE = "application/a2a+json";

  RestRequests(URI server) {
    this(server, "");
  }

  /// @param line the method and what follows the path of the binding
  HttpResponse<String> raw(String agent, String line, String body, String type) throws Exception {
    int blank = line.indexOf(' ');
    var uri = server.resolve("/a2a/" + agent + "/v1" + line.substring(blank + 1));
    var publisher = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(uri).method(line.substring(0, blank), publisher);
    request.header("A2A-Version", "1.0");
    if (!type.isEmpty()) request.header("Content-Type", type);
    if (!key.isEmpty()) request.header("x-api-key", key);
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  JsonNode result(String agent, String line, String body) throws Exception {
    var answer = raw(agent, line, body, body.isEmpty() ? "" : TYPE);
    if (answer.statusCode() == 200) return JSON.readTree(answer.body());
    throw new AssertionError(answer.statusCode() + " " + answer.body());
  }

  /// The error of a refusal, whose status is that of the answer.
  JsonNode error(String agent, String line, String body) throws Exception {
    return error(raw(agent, line, body, body.isEmpty() ? "" : TYPE));
  }

  static JsonNode error(HttpResponse<String> answer) {
    var error = JSON.readTree(answer.body()).path("error");
    if (error.path("code").asInt(0) == answer.statusCode()) return error;
    throw new AssertionError(answer.statusCode() + " " + answer.body());
  }

  List<JsonNode> events(String agent, String line, String body) throws Exception {
    return raw(agent, line, body, TYPE)
        .body()
        .lines()
        .filter(text -> text.startsWith("data: "))
        .map(text -> JSON.readTree(text.substring(6)))
        .toList();
  }
}
