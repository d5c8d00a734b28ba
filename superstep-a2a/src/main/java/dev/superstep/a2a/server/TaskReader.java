package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.graph.ServedGraph;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the tasks of an agent: the runs that have the task's id in their metadata, and what their
/// thread says. For one request.
final class TaskReader {
  static final String TASK = "a2a_task";
  static final String MESSAGE = "a2a_message";
  static final String AGENT = "a2a_agent";
  static final String CANCELED = "a2a_canceled";

  private static final int RUNS_OF_TASK_MAX = 1_000;

  private final ServerApi api;
  private final ServedGraph graph;

  TaskReader(ServerApi api, ServedGraph graph) {
    this.api = api;
    this.graph = graph;
  }

  /// The form in which clients see tasks.
  TaskJson json() {
    return new TaskJson(graph);
  }

  static String thread(String context) {
    return "/threads/" + encoded(context);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /// Finds a task.
  ///
  /// @throws RpcError if there is none that the client may see
  KnownTask find(String task) throws InterruptedException {
    var runs = runs(Trees.object().put(TASK, task).put(AGENT, graph.id()), "", RUNS_OF_TASK_MAX);
    if (runs.isEmpty()) throw RpcError.noTask(task);
    return known(task, runs);
  }

  /// Runs by their metadata, the newest first.
  ///
  /// @param context empty for all
  List<JsonNode> runs(ObjectNode metadata, String context, int most) throws InterruptedException {
    var query = Trees.object().put("limit", most);
    query.set("metadata", metadata);
    if (!context.isEmpty()) query.put("thread_id", context);
    var all = new ArrayList<>(search(query).values());
    all.sort((a, b) -> at(b, "created_at").compareTo(at(a, "created_at")));
    return all;
  }

  /// Runs, as the API of the server searches them.
  JsonNode search(ObjectNode query) throws InterruptedException {
    return Trees.of(api.send("POST", "/runs/search", Trees.json(query)));
  }

  static Instant at(JsonNode run, String name) {
    return Instant.parse(run.path(name).asString(Instant.EPOCH.toString()));
  }

  /// The task of runs, the newest first.
  KnownTask known(String task, List<JsonNode> runs) throws InterruptedException {
    var run = runs.getFirst();
    var context = run.path("thread_id").asString("");
    var status = run.path("status").asString("");
    boolean isActive = status.equals("pending") || status.equals("running");
    var state = isActive ? Trees.object() : state(context);
    boolean isNewest = !isActive && isNewest(context, run);
    var open = isNewest ? open(state) : Map.<String, JsonNode>of();
    var thread = isActive ? Trees.object() : thread(api, context);
    boolean isCanceled = thread.path("metadata").path(CANCELED).asString("").equals(task);
    var error = isNewest ? KnownTask.error(thread) : KnownTask.FAILED;
    var now = new KnownTask.Standing(isCanceled, open, state.path("values"), error);
    return KnownTask.of(task, runs, now);
  }

  private boolean isNewest(String context, JsonNode run) throws InterruptedException {
    var newest = Trees.of(api.send("GET", thread(context) + "/runs?limit=1", Json.ofNull()));
    return newest.path(0).path("run_id").equals(run.path("run_id"));
  }

  private static JsonNode thread(ServerApi api, String context) throws InterruptedException {
    try {
      return Trees.of(api.send("GET", thread(context), Json.ofNull()));
    } catch (RequestRefused none) {
      if (none.status() == 404) return Trees.object();
      throw none;
    }
  }

  /// The state of a thread; an empty object if there is none.
  JsonNode state(String context) throws InterruptedException {
    try {
      return Trees.of(api.send("GET", thread(context) + "/state", Json.ofNull()));
    } catch (RequestRefused none) {
      if (none.status() == 404 || none.status() == 400) return Trees.object();
      throw none;
    }
  }

  static Map<String, JsonNode> open(JsonNode state) {
    var open = new LinkedHashMap<String, JsonNode>();
    for (var task : state.path("tasks")) KnownTask.open(task.path("interrupts"), open);
    return open;
  }
}
