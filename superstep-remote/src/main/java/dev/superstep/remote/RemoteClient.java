package dev.superstep.remote;

import dev.superstep.json.Json;
import dev.superstep.node.NodeContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Speaks with the server of a graph. For one task.
final class RemoteClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration REQUEST = Duration.ofSeconds(30);
  private static final Duration CANCEL = Duration.ofSeconds(5);
  private static final int TRIES = 20;
  private static final int BODY_MAX = 64 << 20;

  private final RemoteGraph graph;
  private final NodeContext context;

  RemoteClient(RemoteGraph graph, NodeContext context) {
    this.graph = graph;
    this.context = context;
  }

  /// The point that a run has reached.
  ///
  /// @param open its open questions, by their ids
  record End(Json values, Map<String, Json> open) {}

  /// Begins the run of a thread, unless it was begun before.
  ///
  /// @return its id
  String start(String thread, Json input) throws InterruptedException {
    var known = newest(thread, 1);
    if (!known.isEmpty()) return known;
    var body = body();
    body.set("input", JSON.readTree(input.text()));
    body.put("if_not_exists", "create");
    return begun(thread, body, 1);
  }

  /// Resumes the thread with answers, unless that was done before.
  ///
  /// @param turn how many runs the thread has by now
  String resume(String thread, Map<String, Json> answers, int turn) throws InterruptedException {
    var known = newest(thread, turn + 1);
    if (!known.isEmpty()) return known;
    var body = body();
    var resume = body.putObject("command").putObject("resume");
    answers.forEach((id, answer) -> resume.set(id, JSON.readTree(answer.text())));
    return begun(thread, body, turn + 1);
  }

  private ObjectNode body() {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("assistant_id", graph.assistant());
    body.put("multitask_strategy", "reject");
    return body;
  }

  private String begun(String thread, ObjectNode body, int runs) throws InterruptedException {
    var made = sent("POST", "/threads/" + thread + "/runs", body);
    if (made.status() == 200) return made.body().path("run_id").asString("");
    // Somebody else was faster, such as an earlier attempt whose answer was lost.
    var known = made.status() == 422 || made.status() == 409 ? newest(thread, runs) : "";
    if (!known.isEmpty()) return known;
    throw RemoteFailed.refused(graph, made.status(), made.text());
  }

  /// The id of the newest run if the thread has at least so many, else an empty text.
  private String newest(String thread, int runs) throws InterruptedException {
    var known = sent("GET", "/threads/" + thread + "/runs?limit=" + (runs + 1), null);
    if (known.status() == 404 || known.status() == 422) return "";
    if (known.status() != 200) throw RemoteFailed.refused(graph, known.status(), known.text());
    return known.body().size() >= runs ? known.body().get(0).path("run_id").asString("") : "";
  }

  /// Waits for the end of a run, however long that takes.
  ///
  /// @throws RemoteFailed if it failed, or the server cannot be reached any more
  End join(String thread, String run) throws InterruptedException {
    var path = "/threads/" + thread + "/runs/" + run;
    while (true) {
      awaitEnd(path + "/join");
      var status = checked("GET", path).path("status").asString("");
      switch (status) {
        case "pending", "running" -> context.sleep(PAUSE);
        case "error" -> throw failure(thread);
        case "success" -> {
          return end(thread);
        }
        default -> throw RemoteFailed.ended(graph, status, "the run was ended before it was done");
      }
    }
  }

  private RemoteFailed failure(String thread) throws InterruptedException {
    var error = checked("GET", "/threads/" + thread).path("error");
    return RemoteFailed.ended(
        graph, error.path("error").asString("an error"), error.path("message").asString(""));
  }

  private End end(String thread) throws InterruptedException {
    var state = checked("GET", "/threads/" + thread + "/state");
    var open = new LinkedHashMap<String, Json>();
    for (var task : state.path("tasks")) {
      for (var asked : task.path("interrupts")) {
        open.put(asked.path("id").asString(""), json(asked.path("value")));
      }
    }
    return new End(json(state.path("values")), open);
  }

  private static Json json(JsonNode tree) {
    return Json.parse(JSON.writeValueAsString(tree));
  }

  /// Asks the server to stop what the thread is at; it may be gone.
  void cancel(String thread) {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("thread_id", thread).put("status", "all");
    // The request would end at once if the thread were still interrupted.
    boolean isInterrupted = Thread.interrupted();
    try {
      HTTP.send(request("POST", "/runs/cancel", body).timeout(CANCEL).build(), text());
    } catch (IOException _) {
      // It runs to its end there, and nobody waits for it.
    } catch (InterruptedException _) {
      isInterrupted = true;
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }

  // --- Requests ---

  private record Answer(int status, JsonNode body, String text) {}

  private JsonNode checked(String method, String path) throws InterruptedException {
    var answer = sent(method, path, null);
    if (answer.status() == 200) return answer.body();
    throw RemoteFailed.refused(graph, answer.status(), answer.text());
  }

  /// The reason for a refusal: its `detail`, or all of it where a server sends no such thing.
  private static String reason(String body) {
    try {
      var detail = JSON.readTree(body).path("detail");
      return detail.isString() ? detail.stringValue() : body;
    } catch (tools.jackson.core.JacksonException _) {
      return body;
    }
  }

  private Answer sent(
      String method, String path, @org.jspecify.annotations.Nullable ObjectNode body)
      throws InterruptedException {
    for (int i = 1; ; i++) {
      try {
        var response = HTTP.send(request(method, path, body).timeout(REQUEST).build(), text());
        int status = response.statusCode();
        var json = JSON.readTree(status == 200 ? response.body() : "null");
        var text = status == 200 ? response.body() : reason(response.body());
        if (status < 500) return new Answer(status, json, text);
        if (i == TRIES) throw RemoteFailed.refused(graph, status, text);
      } catch (IOException | tools.jackson.core.JacksonException e) {
        if (i == TRIES) throw RemoteFailed.unreachable(graph, e);
      }
      context.sleep(PAUSE);
    }
  }

  /// Reads what a server sends while a run is at work; the end of that says that there is news.
  private void awaitEnd(String path) throws InterruptedException {
    try {
      var request = request("GET", path, null).build();
      var response = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream sent = response.body()) {
        var buffer = new byte[8192];
        long read = 0;
        for (int n = sent.read(buffer); n >= 0 && read < BODY_MAX; n = sent.read(buffer)) {
          read += n;
          context.heartbeat();
        }
      }
    } catch (IOException _) {
      if (context.isCancelled() || Thread.currentThread().isInterrupted()) {
        throw new InterruptedException("the wait for " + graph + " was cancelled");
      }
      // The status is asked for next.
      context.heartbeat();
    }
  }

  private HttpRequest.Builder request(
      String method, String path, @org.jspecify.annotations.Nullable ObjectNode body) {
    var base = graph.server().toString();
    var whole =
        URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
    var request = HttpRequest.newBuilder(whole).header("Content-Type", "application/json");
    graph.headers().forEach(request::setHeader);
    var publisher =
        body == null
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body));
    return request.method(method, publisher);
  }

  private static HttpResponse.BodyHandler<String> text() {
    return HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8);
  }
}
