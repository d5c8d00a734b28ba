package dev.superstep.mcp.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;

/// A client of revision 2026-07-28, each of whose requests stands alone.
final class ModernClientOfTest implements AutoCloseable {
  /// The abilities of a client with forms and tasks.
  static final String TASKS =
      "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI address;
  private final String capabilities;
  private final String key;

  ModernClientOfTest(URI address, String capabilities, String key) {
    this.address = address;
    this.capabilities = capabilities;
    this.key = key;
  }

  static ModernClientOfTest of(ServerProcess process) {
    return new ModernClientOfTest(
        URI.create("http://127.0.0.1:" + process.port() + "/mcp"), TASKS, "");
  }

  /// @param name what the header `Mcp-Name` repeats; empty for none
  /// @param params fields of the parameters, without `_meta`
  HttpResponse<String> send(String method, String name, String params, String... headers)
      throws Exception {
    var meta =
        "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":"
            + capabilities
            + "}";
    var body =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{%s%s}}"
            .formatted(method, meta, params.isEmpty() ? "" : "," + params);
    var request =
        HttpRequest.newBuilder(address)
            .header("Accept", "application/json, text/event-stream")
            .header("Content-Type", "application/json")
            .header("X-Api-Key", key)
            .header("Mcp-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", method)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!name.isEmpty()) request.header("Mcp-Name", name);
    for (int i = 0; i < headers.length; i += 2) request.header(headers[i], headers[i + 1]);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /// The result of a call, or its error.
  JsonNode call(String tool, String arguments, String more) throws Exception {
    var params = "\"name\":\"%s\",\"arguments\":%s%s".formatted(tool, arguments, more);
    return answered(HttpClientOfTest.reply(send("tools/call", tool, params)));
  }

  /// The result of a method for a task, or its error.
  JsonNode task(String method, String id, String more) throws Exception {
    return answered(
        HttpClientOfTest.reply(send("tasks/" + method, id, "\"taskId\":\"" + id + "\"" + more)));
  }

  /// Answers open questions of a task, which are named without what tells them from others of their
  /// name.
  JsonNode update(String id, String more) throws Exception {
    var keyed = more;
    for (var key : task("get", id, "").path("inputRequests").propertyNames()) {
      var question = key.substring(0, key.lastIndexOf('-'));
      keyed = keyed.replace("\"" + question + "\":", "\"" + key + "\":");
    }
    return task("update", id, keyed);
  }

  JsonNode ask(String method, String name, String params) throws Exception {
    return answered(HttpClientOfTest.reply(send(method, name, params)));
  }

  private static JsonNode answered(JsonNode reply) {
    return reply.has("error") ? reply.path("error") : reply.path("result");
  }

  /// Begins a task.
  String begin(String tool, String arguments) throws Exception {
    var created = call(tool, arguments, "");
    if (!created.path("resultType").asString("").equals("task")) {
      throw new IllegalStateException("no task: " + created);
    }
    return created.path("taskId").asString();
  }

  /// The task when it has this status.
  JsonNode await(String task, String status) throws Exception {
    while (true) {
      var now = task("get", task, "");
      if (now.path("status").asString("").equals(status)) return now;
      Thread.sleep(20);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
