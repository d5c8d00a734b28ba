package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.graph.ServedGraph;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Begins tasks and answers what they ask. For one request.
final class TaskStart {
  private static final int ID_MAX = 200;
  private static final int PARTS_MAX = 1_000;

  private final ServerApi api;
  private final ServedGraph graph;
  private final TaskReader tasks;

  TaskStart(ServerApi api, ServedGraph graph, TaskReader tasks) {
    this.api = api;
    this.graph = graph;
    this.tasks = tasks;
  }

  /// Sends a message: a new task, or an answer to one that asks. A message that its context has
  /// already got begins nothing, and its task is returned.
  ///
  /// @param streams whether somebody may follow the words of its model
  KnownTask send(JsonNode params, boolean streams) throws InterruptedException {
    var message = params.path("message");
    check(message);
    var context = optional(message, "contextId");
    var task = optional(message, "taskId");
    var modes = streams ? List.of("values", "messages-tuple") : List.of("values");
    return task.isEmpty() ? begin(message, context, modes) : answer(message, task, context, modes);
  }

  private static void check(JsonNode message) {
    if (!message.isObject()) throw RpcError.params("`message` must be an object.");
    var id = message.path("messageId").asString("");
    if (id.isBlank() || id.length() > ID_MAX) {
      throw RpcError.params("`message.messageId` must have 1 to " + ID_MAX + " characters.");
    }
    if (!message.path("role").asString("").equals("ROLE_USER")) {
      throw RpcError.params("`message.role` must be ROLE_USER.");
    }
    var parts = message.path("parts");
    if (!parts.isArray() || parts.isEmpty() || parts.size() > PARTS_MAX) {
      throw RpcError.params("`message.parts` must be a list of 1 to " + PARTS_MAX + " parts.");
    }
  }

  private static String optional(JsonNode message, String name) {
    var value = message.path(name);
    if (Trees.isNone(value)) return "";
    boolean isGood =
        value.isString()
            && value.stringValue().length() <= ID_MAX
            && value.stringValue().chars().allMatch(c -> c > ' ' && c != 0x7f);
    if (isGood) return value.stringValue();
    throw RpcError.params(
        "`message.%s` must have at most %d characters, without blanks.".formatted(name, ID_MAX));
  }

  private KnownTask begin(JsonNode message, String context, List<String> modes)
      throws InterruptedException {
    if (!context.isEmpty()) {
      var id = message.path("messageId").asString("");
      var same = tasks.runs(Trees.object().put(TaskReader.MESSAGE, id), context, 1);
      if (!same.isEmpty()) {
        return tasks.find(same.getFirst().path("metadata").path(TaskReader.TASK).asString(""));
      }
      checkRest(context);
    }
    var task = UUID.randomUUID().toString();
    var body = body(message, task, modes);
    body.set("input", new MessageInput(graph).of(message));
    body.put("if_not_exists", "create");
    var thread = context.isEmpty() ? UUID.randomUUID().toString() : context;
    made(thread, body);
    return tasks.find(task);
  }

  /// A new task in a context that waits would throw away what that asks.
  private void checkRest(String context) throws InterruptedException {
    var runs = tasks.runs(Trees.object().put(TaskReader.AGENT, graph.id()), context, 1);
    if (runs.isEmpty()) return;
    var task = runs.getFirst().path("metadata").path(TaskReader.TASK).asString("");
    var known = tasks.find(task);
    if (TaskStates.isTerminal(known.state())) return;
    throw RpcError.unsupported(
        "Task %s of this context has not ended; answer or cancel it first.".formatted(task));
  }

  private KnownTask answer(JsonNode message, String task, String context, List<String> modes)
      throws InterruptedException {
    var known = tasks.find(task);
    if (!context.isEmpty() && !context.equals(known.context())) {
      throw RpcError.params("`message.contextId` is not that of task " + task + ".");
    }
    var id = message.path("messageId");
    for (var run : known.runs()) {
      if (run.path("metadata").path(TaskReader.MESSAGE).equals(id)) return known;
    }
    if (!known.state().equals(TaskStates.INPUT_REQUIRED)) {
      throw RpcError.unsupported(
          "Task %s takes no message now. To start another task, send the message without `taskId`."
              .formatted(task));
    }
    var body = body(message, task, modes);
    body.putObject("command").set("resume", Questions.answers(known.open(), message.path("parts")));
    made(known.context(), body);
    return tasks.find(task);
  }

  private ObjectNode body(JsonNode message, String task, List<String> modes) {
    var body = Trees.object().put("assistant_id", graph.id()).put("multitask_strategy", "reject");
    var metadata = body.putObject("metadata").put(TaskReader.TASK, task);
    metadata.put(TaskReader.AGENT, graph.id()).set(TaskReader.MESSAGE, message.path("messageId"));
    modes.forEach(body.putArray("stream_mode")::add);
    return body;
  }

  /// Makes a run of the task.
  private void made(String thread, ObjectNode body) throws InterruptedException {
    try {
      var _ = api.send("POST", TaskReader.thread(thread) + "/runs", Trees.json(body));
    } catch (RequestRefused refused) {
      if (refused.status() == 404) {
        // Somebody else's context is as if it were not there.
        throw RpcError.params("`message.contextId` cannot be used; leave it out.");
      }
      throw refused;
    }
  }

  /// Waits until the newest run of a task has ended.
  void join(KnownTask task) throws InterruptedException {
    if (TaskStates.isTerminal(task.state())) return;
    if (task.state().equals(TaskStates.INPUT_REQUIRED)) return;
    var run = task.run().path("run_id").asString("");
    var path = TaskReader.thread(task.context()) + "/runs/" + TaskReader.encoded(run) + "/join";
    var _ = api.send("GET", path, Json.ofNull());
  }

  /// Cancels a task.
  KnownTask cancel(KnownTask task) throws InterruptedException {
    if (task.state().equals(TaskStates.CANCELED)) return task;
    if (TaskStates.isTerminal(task.state())) throw RpcError.notCancelable(task.id(), task.state());
    var thread = TaskReader.thread(task.context());
    var mark = Trees.object();
    mark.putObject("metadata").put(TaskReader.CANCELED, task.id());
    var _ = api.send("PATCH", thread, Trees.json(mark));
    if (!task.state().equals(TaskStates.INPUT_REQUIRED)) {
      var run = TaskReader.encoded(task.run().path("run_id").asString(""));
      var _ = api.send("POST", thread + "/runs/" + run + "/cancel?wait=true", Json.ofNull());
    }
    return tasks.find(task.id());
  }
}
