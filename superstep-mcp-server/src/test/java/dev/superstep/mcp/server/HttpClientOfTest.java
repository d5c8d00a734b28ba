package dev.superstep.mcp.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A client that sends what it is told, right or wrong.
final class HttpClientOfTest implements AutoCloseable {
  static final JsonMapper JSON = new JsonMapper();
  static final String GREETING =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",
       "capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}\
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI address;
  private final Map<String, String> headers;
  private String session = "";

  HttpClientOfTest(URI address, String... headers) {
    this.address = address;
    this.headers = headers.length == 0 ? Map.of() : Map.of(headers[0], headers[1]);
  }

  /// Greets, with these capabilities.
  HttpClientOfTest greet(String capabilities) throws Exception {
    var reply = post(GREETING.formatted(capabilities));
    session = reply.headers().firstValue("mcp-session-id").orElseThrow();
    post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    return this;
  }

  String session() {
    return session;
  }

  HttpClientOfTest as(String id) {
    session = id;
    return this;
  }

  HttpRequest.Builder request() {
    var request =
        HttpRequest.newBuilder(address)
            .header("Accept", "application/json, text/event-stream")
            .header("Content-Type", "application/json");
    headers.forEach(request::header);
    if (!session.isEmpty()) request.header("Mcp-Session-Id", session);
    return request;
  }

  HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return send(request().POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<java.util.stream.Stream<String>> open(HttpRequest request)
      throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofLines());
  }

  /// The reply to a request.
  JsonNode ask(String method, String params) throws Exception {
    return reply(post(message(method, params)));
  }

  /// The result of a call, or its error.
  JsonNode call(String tool, String arguments) throws Exception {
    return ask("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
  }

  static String message(String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, params);
  }

  /// The last message of a body, which is JSON or a stream.
  static JsonNode reply(HttpResponse<String> response) {
    var body = response.body();
    if (!response.headers().firstValue("content-type").orElse("").startsWith("text/event")) {
      return JSON.readTree(body);
    }
    return body.lines()
        .filter(line -> line.startsWith("data: {"))
        .map(line -> JSON.readTree(line.substring(6)))
        .filter(message -> !message.has("method"))
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  static Optional<JsonNode> message(String line) {
    return line.startsWith("data: {")
        ? Optional.of(JSON.readTree(line.substring(6)))
        : Optional.empty();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
