package dev.superstep.model.vendor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.superstep.batch.BatchApi;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Plays the batch interfaces of Anthropic and OpenAI. Its forms are written by the vendors'
/// documents, and were not recorded. What was submitted stays over the restarts of clients.
final class BatchVendor implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /// A batch that was submitted.
  record Submitted(
      String id,
      Instant at,
      JsonNode metadata,
      LinkedHashMap<String, JsonNode> requests,
      String file) {}

  /// An answer that is no 200.
  record Trouble(int status, String body) {}

  final List<Submitted> batches = Collections.synchronizedList(new ArrayList<>());
  final List<String> keys = Collections.synchronizedList(new ArrayList<>());
  volatile int refused;
  private final Map<String, String> files = new LinkedHashMap<>();
  private final HttpServer http;
  private final String vendor;

  /// True once batches are over.
  volatile boolean isOver;

  /// True if the connection breaks once a batch was taken.
  volatile boolean isBreaking;

  /// What requests a batch is refused for.
  volatile Predicate<JsonNode> isBad = _ -> false;

  /// True if a refusal says for which requests it is.
  volatile boolean isNaming;

  /// The answer in place of taking a batch; null if it is taken.
  volatile Trouble trouble;

  /// The result of a request, by its body: a text, or `expired`, or `overloaded` or `invalid`.
  volatile Function<JsonNode, String> replies = body -> "Good.";

  BatchVendor(String vendor) throws IOException {
    this.vendor = vendor;
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", this::serve);
    http.start();
  }

  BatchApi api() {
    var base = "http://127.0.0.1:" + http.getAddress().getPort() + "/v1";
    var isAnthropic = vendor.equals("anthropic");
    var model = isAnthropic ? "anthropic://claude-sonnet-4-5" : "openai://gpt-4.1-mini";
    return VendorBatches.open(
        ModelRef.parse(model),
        Environment.of(
            Map.of(
                "ANTHROPIC_API_KEY",
                "the-key-of-anthropic",
                "OPENAI_API_KEY",
                "the-key-of-openai",
                "SUPERSTEP_ANTHROPIC_BASE_URL",
                base,
                "SUPERSTEP_OPENAI_BASE_URL",
                base)));
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      var key = headers.getFirst("x-api-key");
      keys.add(key == null ? headers.getFirst("Authorization") : key);
      var body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      var path = exchange.getRequestURI().getPath().substring("/v1".length());
      boolean isPost = exchange.getRequestMethod().equals("POST");
      String answer;
      if (isPost && (path.equals("/messages/batches") || path.equals("/batches"))) {
        var told = trouble;
        if (told != null) {
          send(exchange, told.status(), told.body());
          return;
        }
        answer = taken(body);
        if (isBreaking) return;
        if (vendor.equals("anthropic") && !bad(batches.getLast()).isEmpty()) {
          send(exchange, 400, refusal(batches.removeLast()));
          return;
        }
      } else if (isPost && path.equals("/files")) {
        answer = filed(body);
      } else {
        answer = vendor.equals("anthropic") ? anthropic(path) : openAi(path);
      }
      send(exchange, 200, answer);
    }
  }

  /// The places of the requests for which a batch is refused.
  private List<Integer> bad(Submitted batch) {
    var all = List.copyOf(batch.requests().values());
    return IntStream.range(0, all.size()).filter(i -> isBad.test(all.get(i))).boxed().toList();
  }

  private String refusal(Submitted batch) {
    refused++;
    var where = isNaming ? "requests." + bad(batch).getFirst() + ".params.x: " : "";
    return "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"" + where + "bad\"}}";
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private synchronized String filed(String body) {
    int begin = body.indexOf("\r\n\r\n{") + 4;
    var id = "file-" + (files.size() + 1);
    files.put(id, body.substring(begin, body.lastIndexOf("\r\n--")));
    return "{\"id\":\"" + id + "\"}";
  }

  private synchronized String taken(String body) {
    var asked = JSON.readTree(body);
    var requests = new LinkedHashMap<String, JsonNode>();
    if (vendor.equals("anthropic")) {
      for (var one : asked.path("requests")) {
        requests.put(one.path("custom_id").asString(), one.path("params"));
      }
    } else {
      for (var line : files.get(asked.path("input_file_id").asString()).lines().toList()) {
        var one = JSON.readTree(line);
        requests.put(one.path("custom_id").asString(), one.path("body"));
      }
    }
    var id = "batch_" + (batches.size() + 1);
    var file = asked.path("input_file_id").asString("");
    batches.add(new Submitted(id, Instant.now(), asked.path("metadata"), requests, file));
    return "{\"id\":\"" + id + "\"}";
  }

  private Submitted batch(String path) {
    return batches.stream().filter(one -> path.contains(one.id())).findFirst().orElseThrow();
  }

  private String anthropic(String path) {
    if (path.equals("/messages/batches")) {
      var list = JSON.createObjectNode().put("has_more", false);
      for (var one : batches.reversed()) list.withArray("data").add(anthropic(batch(one.id())));
      return list.toString();
    }
    if (!path.endsWith("/results")) return anthropic(batch(path)).toString();
    var lines = new StringBuilder();
    // Not in the order of the requests.
    batch(path)
        .requests()
        .reversed()
        .forEach((id, body) -> {
          var line = JSON.createObjectNode().put("custom_id", id);
          var result = line.putObject("result");
          switch (replies.apply(body)) {
            case "expired" -> result.put("type", "expired");
            case "overloaded" -> error(result, "overloaded_error");
            case "invalid" -> error(result, "invalid_request_error");
            case String text -> {
              result.put("type", "succeeded");
              var message = result.putObject("message").put("id", "msg_1").put("type", "message");
              message.put("role", "assistant").put("model", "claude-sonnet-4-5");
              message.putArray("content").addObject().put("type", "text").put("text", text);
              message.put("stop_reason", "end_turn");
              message.putObject("usage").put("input_tokens", 1_000).put("output_tokens", 100);
            }
          }
          lines.append(line).append('\n');
        });
    return lines.toString();
  }

  private static void error(ObjectNode result, String type) {
    var error = result.put("type", "errored").putObject("error").put("type", "error");
    error.putObject("error").put("type", type).put("message", "told by the vendor");
  }

  private ObjectNode anthropic(Submitted one) {
    var batch = JSON.createObjectNode().put("id", one.id());
    batch.put("processing_status", isOver ? "ended" : "in_progress");
    batch.put("created_at", one.at().toString());
    batch.putObject("request_counts").put("processing", one.requests().size()).put("errored", 0);
    return batch;
  }

  private String openAi(String path) {
    if (path.equals("/batches")) {
      var list = JSON.createObjectNode().put("has_more", false);
      for (var one : batches.reversed()) list.withArray("data").add(openAi(one));
      return list.toString();
    }
    if (!path.startsWith("/files/")) return openAi(batch(path)).toString();
    var file = path.split("/")[2];
    if (files.containsKey(file)) return files.get(file);
    var lines = new StringBuilder();
    batch(path)
        .requests()
        .reversed()
        .forEach((id, body) -> {
          var line = JSON.createObjectNode().put("custom_id", id);
          switch (replies.apply(body)) {
            case "expired" -> line.putObject("error").put("code", "batch_expired");
            case "overloaded" -> answered(line, 503).putObject("error").put("message", "told");
            case "invalid" ->
                answered(line, 400).putObject("error").put("message", "told by the vendor");
            case String text -> {
              var reply = answered(line, 200).put("id", "chatcmpl-1").put("model", "gpt-4.1-mini");
              var choice = reply.putArray("choices").addObject().put("finish_reason", "stop");
              choice.putObject("message").put("role", "assistant").put("content", text);
              reply.putObject("usage").put("prompt_tokens", 1_000).put("completion_tokens", 100);
            }
          }
          lines.append(line).append('\n');
        });
    return lines.toString();
  }

  private static ObjectNode answered(ObjectNode line, int status) {
    return line.putObject("response").put("status_code", status).putObject("body");
  }

  private ObjectNode openAi(Submitted one) {
    var batch = JSON.createObjectNode().put("id", one.id());
    var bad = bad(one);
    boolean isFailed = isOver && !bad.isEmpty();
    batch.put("status", isFailed ? "failed" : isOver ? "completed" : "in_progress");
    if (isFailed) {
      refused++;
      batch.put("input_file_id", one.file());
      var error = batch.putObject("errors").putArray("data").addObject().put("message", "bad");
      if (isNaming) error.put("line", bad.getFirst() + 1);
      return batch;
    }
    batch.put("created_at", one.at().getEpochSecond());
    batch.set("metadata", one.metadata());
    if (isOver) batch.put("output_file_id", "file-out-" + one.id());
    return batch;
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
