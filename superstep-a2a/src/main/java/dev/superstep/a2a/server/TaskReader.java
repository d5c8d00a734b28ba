package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.graph.ServedGraph;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
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

  /// A task as it stands. Immutable.
  ///
  /// @param run its newest run
  /// @param open its questions, by their ids
  record Known(
      String id,
      String context,
      String state,
      JsonNode run,
      List<JsonNode> runs,
      Map<String, JsonNode> open,
      JsonNode values,
      String error) {}

  static String thread(String context) {
    return "/threads/" + encoded(context);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /// Finds a task.
  ///
  /// @throws RpcError if there is none that the client may see
  Known find(String task) throws InterruptedException {
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
    var all =
        new ArrayList<>(Trees.of(api.send("POST", "/runs/search", Trees.json(query))).values());
    all.sort((a, b) -> at(b, "created_at").compareTo(at(a, "created_at")));
    return all;
  }

  static Instant at(JsonNode run, String name) {
    return Instant.parse(run.path(name).asString(Instant.EPOCH.toString()));
  }

  /// The task of runs, the newest first.
  Known known(String task, List<JsonNode> runs) throws InterruptedException {
    var run = runs.getFirst();
    var context = run.path("thread_id").asString("");
    var status = run.path("status").asString("");
    boolean isActive = status.equals("pending") || status.equals("running");
    var state = isActive ? Trees.object() : state(context);
    boolean isNewest = !isActive && isNewest(context, run);
    var open = isNewest ? open(state) : Map.<String, JsonNode>of();
    var thread = isActive ? Trees.object() : thread(api, context);
    boolean isCanceled = thread.path("metadata").path(CANCELED).asString("").equals(task);
    var named = state(status, isCanceled, !open.isEmpty());
    var error = thread.path("error").path("message").asString("The run failed.");
    return new Known(
        task,
        context,
        named,
        run,
        runs,
        named.equals(TaskStates.INPUT_REQUIRED) ? open : Map.of(),
        state.path("values"),
        isNewest ? error : "The run failed.");
  }

  private static String state(String status, boolean isCanceled, boolean asks) {
    return switch (status) {
      case "pending" -> TaskStates.SUBMITTED;
      case "running" -> TaskStates.WORKING;
      case "error", "timeout" -> TaskStates.FAILED;
      default -> {
        if (isCanceled) yield TaskStates.CANCELED;
        if (asks) yield TaskStates.INPUT_REQUIRED;
        yield status.equals("success") ? TaskStates.COMPLETED : TaskStates.CANCELED;
      }
    };
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
    for (var task : state.path("tasks")) {
      for (var asked : task.path("interrupts")) {
        open.put(asked.path("id").asString(""), asked.path("value"));
      }
    }
    return open;
  }

  // --- Tasks as clients see them ---

  /// A task.
  ///
  /// @param history the most messages; negative for all
  ObjectNode json(Known task, int history, boolean hasArtifacts) {
    var json = Trees.object().put("id", task.id()).put("contextId", task.context());
    json.set("status", status(task));
    var messages = messages(task);
    if (hasArtifacts && task.state().equals(TaskStates.COMPLETED)) {
      var artifacts = artifacts(task, messages);
      if (!artifacts.isEmpty()) json.set("artifacts", artifacts);
    }
    if (history != 0 && !messages.isEmpty()) {
      var shown = json.putArray("history");
      int from = history < 0 ? 0 : Math.max(0, messages.size() - history);
      for (var message : messages.subList(from, messages.size())) {
        shown.add(message(task, message));
      }
    }
    return json;
  }

  ObjectNode status(Known task) {
    var status = Trees.object().put("state", task.state());
    if (task.state().equals(TaskStates.INPUT_REQUIRED)) {
      var id = String.join("+", task.open().keySet());
      var message = agentMessage(task.id(), task.context(), id);
      var parts = message.putArray("parts");
      task.open()
          .forEach((question, asked) -> {
            parts.addObject().put("text", Questions.text(asked));
            var data = parts.addObject().put("mediaType", "application/json").putObject("data");
            data.put("question", question).set("value", asked);
          });
      status.set("message", message);
    } else if (task.state().equals(TaskStates.FAILED)) {
      var message = agentMessage(task.id(), task.context(), task.run().path("run_id").asString(""));
      message.putArray("parts").addObject().put("text", task.error());
      status.set("message", message);
    }
    var time = at(task.run(), "updated_at").truncatedTo(ChronoUnit.MILLIS);
    return status.put("timestamp", time.toString());
  }

  static ObjectNode agentMessage(String task, String context, String id) {
    var message = Trees.object().put("messageId", id).put("role", "ROLE_AGENT");
    return message.put("taskId", task).put("contextId", context);
  }

  /// The messages of the task: from its first message to that of the next task.
  private List<JsonNode> messages(Known task) {
    var own = new HashSet<String>();
    for (var run : task.runs()) own.add(run.path("metadata").path(MESSAGE).asString(""));
    var all = new ArrayList<JsonNode>();
    boolean isInside = false;
    for (var message : task.values().path(graph.conversation().orElse("messages"))) {
      var type = message.path("type").asString("");
      if (type.equals("human")) isInside = own.contains(message.path("id").asString(""));
      if (isInside && !type.equals("system")) all.add(message);
    }
    return Collections.unmodifiableList(all);
  }

  private static ObjectNode message(Known task, JsonNode message) {
    boolean isUser = message.path("type").asString("").equals("human");
    var json = agentMessage(task.id(), task.context(), message.path("id").asString(""));
    if (isUser) json.put("role", "ROLE_USER");
    var parts = json.putArray("parts");
    var content = message.path("content");
    if (content.isString()) parts.addObject().set("text", content);
    else for (var block : content) part(block, parts);
    if (parts.isEmpty()) parts.addObject().put("text", "");
    return json;
  }

  private static void part(JsonNode block, ArrayNode parts) {
    switch (block.path("type").asString("")) {
      case "text" -> parts.addObject().set("text", block.path("text"));
      case "image", "audio", "video", "file" -> {
        var part = parts.addObject();
        if (block.has("url")) part.set("url", block.path("url"));
        else part.set("raw", block.path("data"));
        if (block.has("mimeType")) part.set("mediaType", block.path("mimeType"));
      }
      default -> {}
    }
  }

  private ArrayNode artifacts(Known task, List<JsonNode> messages) {
    var all = JsonNodeFactory.instance.arrayNode();
    var answer = "";
    for (var message : messages) {
      boolean isAnswer =
          message.path("type").asString("").equals("ai") && message.path("tool_calls").isEmpty();
      if (isAnswer) answer = text(message.path("content"));
    }
    if (!answer.isEmpty()) all.add(answer(answer));
    var outputs = outputs(task.values());
    if (!outputs.isEmpty()) {
      var artifact = all.addObject().put("artifactId", "output").put("name", "output");
      var part = artifact.putArray("parts").addObject().put("mediaType", "application/json");
      part.set("data", outputs);
    }
    return all;
  }

  static ObjectNode answer(String text) {
    var artifact = Trees.object().put("artifactId", "answer").put("name", "answer");
    artifact.putArray("parts").addObject().put("text", text).put("mediaType", "text/plain");
    return artifact;
  }

  /// The values that a graph gives back: those that it names; all if it has no conversation.
  private ObjectNode outputs(JsonNode values) {
    var given = Trees.object();
    var conversation = graph.conversation().orElse("");
    boolean isWhole = graph.outputs().isEmpty() && conversation.isEmpty();
    values.forEachEntry((name, value) -> {
      boolean isGiven = isWhole || graph.outputs().contains(name);
      if (isGiven && !name.equals(conversation)) given.set(name, value);
    });
    return given;
  }

  static String text(JsonNode content) {
    if (content.isString()) return content.stringValue();
    return Trees.parts(content);
  }
}
