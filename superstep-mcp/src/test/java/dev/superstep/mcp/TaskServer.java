package dev.superstep.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/// A server by HTTP whose tool `work` is called as a task, by revision 2025-11-25 or by the
/// extension of 2026-07-28. The test decides when a task goes on.
final class TaskServer implements AutoCloseable {
  private static final String FORM =
      "{\"message\":\"Which?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":"
          + "{\"size\":{\"type\":\"integer\"}},\"required\":[\"size\"]}";

  private final HttpServer http;
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<JsonNode> messages = new CopyOnWriteArrayList<>();
  private final Map<String, String> statuses = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final Map<String, JsonNode> answers = new ConcurrentHashMap<>();
  private volatile String first = "working";
  private volatile int refused;

  TaskServer() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/mcp", this::handle);
    http.start();
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/mcp");
  }

  /// The server for a client.
  McpServer server() {
    return McpServer.http("odd", address());
  }

  /// The status of tasks from their begin on.
  TaskServer beginning(String status) {
    first = status;
    return this;
  }

  /// Answers so many requests for a state with an error of HTTP.
  void fail(int times) {
    refused = times;
  }

  void set(String task, String status) {
    statuses.put(task, status);
  }

  void forget(String task) {
    statuses.remove(task);
  }

  long count(String method) {
    return heard.stream().filter(method::equals).count();
  }

  List<JsonNode> messages(String method) {
    return messages.stream().filter(one -> Wire.text(one, "method").equals(method)).toList();
  }

  /// Waits until a method was called so often.
  void await(String method, int times) throws InterruptedException {
    while (count(method) < times) Thread.sleep(5);
  }

  private void handle(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.sendResponseHeaders(405, -1);
      return;
    }
    var text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    var message = Wire.tree(Json.parse(text));
    var method = Wire.text(message, "method");
    messages.add(message);
    heard.add(method);
    var task = Wire.text(message.path("params"), "taskId");
    if (method.startsWith("tasks/")
        && message.path("params").path("_meta").has("io.modelcontextprotocol/protocolVersion")
        && !task.equals(exchange.getRequestHeaders().getFirst("Mcp-Name"))) {
      exchange.sendResponseHeaders(400, -1);
      return;
    }
    if (method.isEmpty()) {
      var reply = asked.get(message.path("id").asString(""));
      if (reply != null) reply.complete(message.path("result"));
    }
    if (method.isEmpty() || method.startsWith("notifications/")) {
      exchange.sendResponseHeaders(202, -1);
      return;
    }
    if (method.equals("tasks/get") && refused > 0) {
      refused--;
      exchange.close();
      return;
    }
    if (method.equals("tasks/result") && status(task).equals("input_required")) {
      ask(exchange, message, task);
      return;
    }
    var isModern =
        message.path("params").path("_meta").has("io.modelcontextprotocol/protocolVersion");
    answer(exchange, message.path("id"), result(method, message.path("params"), isModern));
  }

  private String status(String task) {
    return statuses.getOrDefault(task, "");
  }

  private static String error(int code) {
    return "\"error\":{\"code\":" + code + ",\"message\":\"no\"}";
  }

  private static void answer(HttpExchange exchange, JsonNode id, String end) throws IOException {
    var body = ("{\"jsonrpc\":\"2.0\",\"id\":%s," + end.replace("%", "%%") + "}").formatted(id);
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private String result(String method, JsonNode params, boolean isModern) {
    var task = Wire.text(params, "taskId");
    return switch (method) {
      case "initialize" ->
          "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},"
              + "\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}},\"serverInfo\":{}}";
      case "server/discover" ->
          "\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{},"
              + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}},\"serverInfo\":{}}";
      case "tools/list" ->
          "\"result\":{\"tools\":["
              + tool("work", "optional")
              + ","
              + tool("plain", "forbidden")
              + ","
              + tool("only", "required")
              + "]}";
      case "tools/call" -> call(params, isModern);
      case "tasks/get" ->
          status(task).isEmpty() ? error(-32602) : "\"result\":" + state(task, isModern);
      case "tasks/result" -> "\"result\":" + end(task);
      case "tasks/update" -> {
        answers.put(task, params.path("inputResponses"));
        set(task, "completed");
        yield "\"result\":{\"resultType\":\"complete\"}";
      }
      case "tasks/cancel" -> {
        set(task, "cancelled");
        yield "\"result\":" + state(task, isModern);
      }
      default -> error(-32601);
    };
  }

  private static String tool(String name, String support) {
    return "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"},\"execution\":{\"taskSupport\":\"%s\"}}"
        .formatted(name, support);
  }

  private String call(JsonNode params, boolean isModern) {
    var capabilities = params.path("_meta").path("io.modelcontextprotocol/clientCapabilities");
    boolean isTask =
        isModern
            ? capabilities.path("extensions").has("io.modelcontextprotocol/tasks")
            : params.has("task");
    if (!isTask) return "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"at once\"}]}";
    var task = "task-" + (statuses.size() + 1);
    set(task, first);
    var state = state(task, isModern);
    return "\"result\":"
        + (isModern ? state.replace("\"complete\"", "\"task\"") : "{\"task\":" + state + "}");
  }

  private String state(String task, boolean isModern) {
    var status = status(task);
    var inlined =
        switch (status) {
          case "completed" -> ",\"result\":" + end(task);
          case "input_required" ->
              ",\"inputRequests\":{\"k1\":{\"method\":\"elicitation/create\",\"params\":%s}}}"
                  .formatted(FORM);
          case "failed" -> ",\"error\":{\"code\":-32000,\"message\":\"out of paper\"}";
          default -> "";
        };
    var state =
        "\"taskId\":\"%s\",\"status\":\"%s\",\"statusMessage\":\"is %s\""
            .formatted(task, status, status);
    return isModern
        ? "{\"resultType\":\"complete\",%s,\"ttlMs\":60000,\"pollIntervalMs\":1%s}"
            .formatted(state, inlined)
        : "{%s,\"ttl\":60000,\"pollInterval\":1}".formatted(state);
  }

  private String end(String task) {
    var said = answers.containsKey(task) ? " with " + answers.get(task).toString() : "";
    return "{\"content\":[{\"type\":\"text\",\"text\":\"done %s%s\"}]}"
        .formatted(task, said.replace("\"", "'"));
  }

  /// Asks while the client waits for the result, each time that it does.
  private void ask(HttpExchange exchange, JsonNode message, String task) throws IOException {
    var id = "ask-" + heard.size();
    var reply = new CompletableFuture<JsonNode>();
    asked.put(id, reply);
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (var out = exchange.getResponseBody()) {
      var related = ",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}}}";
      out.write(
          ("data:"
               + " {\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"elicitation/create\",\"params\":%s}\n\n")
              .formatted(id, FORM + related.formatted(task))
              .getBytes(StandardCharsets.UTF_8));
      out.flush();
      answers.put(task, reply.get());
      set(task, "completed");
      out.write(
          "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n"
              .formatted(message.path("id"), end(task))
              .getBytes(StandardCharsets.UTF_8));
    } catch (InterruptedException | ExecutionException _) {
      exchange.close();
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
