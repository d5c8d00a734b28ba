package dev.superstep.a2a;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Sends requests of A2A as text, as no client library would.
record RpcRequests(URI server, String key) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  RpcRequests(URI server) {
    this(server, "");
  }

  HttpResponse<String> raw(String agent, String body, String version) throws Exception {
    var request =
        HttpRequest.newBuilder(server.resolve("/a2a/" + agent))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    if (!version.isEmpty()) request.header("A2A-Version", version);
    if (!key.isEmpty()) request.header("x-api-key", key);
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }

  JsonNode get(String path) throws Exception {
    var request = HttpRequest.newBuilder(server.resolve(path)).build();
    return JSON.readTree(HTTP.send(request, BodyHandlers.ofString()).body());
  }

  JsonNode getWithKey(String path) throws Exception {
    var request = HttpRequest.newBuilder(server.resolve(path)).header("x-api-key", key).build();
    return JSON.readTree(HTTP.send(request, BodyHandlers.ofString()).body());
  }

  int delete(String path) throws Exception {
    var request = HttpRequest.newBuilder(server.resolve(path)).DELETE().build();
    return HTTP.send(request, BodyHandlers.ofString()).statusCode();
  }

  static String request(String method, String params) {
    return "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"%s\", \"params\": %s}"
        .formatted(method, params);
  }

  /// The answer to a request, whatever it is.
  JsonNode answer(String agent, String method, String params) throws Exception {
    return JSON.readTree(raw(agent, request(method, params), "1.0").body());
  }

  JsonNode result(String agent, String method, String params) throws Exception {
    var answer = answer(agent, method, params);
    if (answer.has("result")) return answer.path("result");
    throw new AssertionError(answer.toString());
  }

  int error(String agent, String method, String params) throws Exception {
    return answer(agent, method, params).path("error").path("code").asInt(0);
  }

  List<JsonNode> events(String agent, String method, String params) throws Exception {
    var events = new ArrayList<JsonNode>();
    for (var line : raw(agent, request(method, params), "1.0").body().lines().toList()) {
      if (line.startsWith("data: ")) events.add(JSON.readTree(line.substring(6)).path("result"));
    }
    return events;
  }

  /// The parameters of a message.
  ///
  /// @param more further fields of it, each after a comma; or empty
  static String said(String id, String text, String more) {
    return part(id, "{\"text\": \"" + text + "\"}", more);
  }

  static String part(String id, String part, String more) {
    return "{\"message\": {\"messageId\": \"%s\", \"role\": \"ROLE_USER\", \"parts\": [%s]%s}}"
        .formatted(id, part, more);
  }

  static String at(String context, String task) {
    var more = context.isEmpty() ? "" : ", \"contextId\": \"" + context + "\"";
    return task.isEmpty() ? more : more + ", \"taskId\": \"" + task + "\"";
  }

  static String state(JsonNode task) {
    return task.path("status").path("state").asString("").replace("TASK_STATE_", "");
  }
}
