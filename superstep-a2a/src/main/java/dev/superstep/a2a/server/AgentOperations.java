package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.graph.ServedGraph;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The operations of the protocol for one agent, whichever binding asks for them. Safe for many
/// threads.
final class AgentOperations {
  private final ServedGraph graph;
  private final boolean pushes;

  /// @param pushes whether it sends push notifications
  AgentOperations(ServedGraph graph, boolean pushes) {
    this.graph = graph;
    this.pushes = pushes;
  }

  /// Does an operation.
  ///
  /// @param method its name in the JSON-RPC binding
  /// @throws RpcError if it is refused
  OperationResult call(ServerRequest request, String method, JsonNode params)
      throws InterruptedException {
    var tasks = new TaskReader(request.api(), graph);
    var start = new TaskStart(request.api(), graph, tasks);
    var push = new PushConfigs(request, tasks);
    return switch (method) {
      case "SendMessage" ->
          send(params, started(params, isLeft(params), start, push), tasks, start);
      case "SendStreamingMessage" -> updates(request, tasks, started(params, true, start, push));
      case "GetTask" -> {
        int history = history(params);
        yield done(tasks.json().task(tasks.find(task(params, "id")), history, true));
      }
      case "ListTasks" -> done(new TaskList(tasks, graph.id()).page(params));
      case "CancelTask" -> done(cancelled(tasks.find(task(params, "id")), tasks, start, push));
      case "SubscribeToTask" -> {
        var task = tasks.find(task(params, "id"));
        if (TaskStates.isTerminal(task.state())) {
          throw RpcError.unsupported("Task " + task.id() + " has ended; use GetTask.");
        }
        yield updates(request, tasks, task);
      }
      case "CreateTaskPushNotificationConfig" -> {
        checkPush();
        yield done(push.create(tasks.find(task(params, "taskId")), params));
      }
      case "GetTaskPushNotificationConfig" -> {
        checkPush();
        yield done(push.get(tasks.find(task(params, "taskId")), task(params, "id")));
      }
      case "ListTaskPushNotificationConfigs" -> {
        checkPush();
        yield done(push.list(tasks.find(task(params, "taskId"))));
      }
      case "DeleteTaskPushNotificationConfig" -> {
        checkPush();
        push.delete(tasks.find(task(params, "taskId")), task(params, "id"));
        yield done(Trees.object());
      }
      case "GetExtendedAgentCard" ->
          throw RpcError.unsupported("This agent has one card, which everybody may read.");
      default -> throw RpcError.method(method);
    };
  }

  private void checkPush() {
    if (!pushes) throw RpcError.noPush();
  }

  private static OperationResult done(JsonNode value) {
    return new OperationResult.Done(value);
  }

  private static String task(JsonNode params, String name) {
    var id = params.path(name);
    if (id.isString() && !id.stringValue().isEmpty()) return id.stringValue();
    throw RpcError.params("`" + name + "` must be an id.");
  }

  private static int history(JsonNode params) {
    return TaskList.number(params.path("historyLength"), -1, 0, Integer.MAX_VALUE);
  }

  /// Sends the message of a request. A webhook that it names is checked before, and saved after:
  /// the task is not known before.
  private KnownTask started(JsonNode params, boolean streams, TaskStart start, PushConfigs push)
      throws InterruptedException {
    var config = params.path("configuration").path("taskPushNotificationConfig");
    if (Trees.isNone(config)) return start.send(params, streams);
    checkPush();
    var _ = PushConfigs.read(config);
    var task = start.send(params, streams);
    var _ = push.create(task, config);
    return task;
  }

  /// Returns whether the client does not wait for the task, and may follow it later.
  private static boolean isLeft(JsonNode params) {
    return params.path("configuration").path("returnImmediately").asBoolean(false);
  }

  private static OperationResult send(
      JsonNode params, KnownTask task, TaskReader tasks, TaskStart start) {
    var configuration = params.path("configuration");
    int history = history(configuration);
    if (isLeft(params)) {
      return done(wrapped(tasks.json().task(task, history, true)));
    }
    return new OperationResult.Later(() -> {
      start.join(task);
      return wrapped(tasks.json().task(tasks.find(task.id()), history, true));
    });
  }

  static ObjectNode wrapped(ObjectNode task) {
    var json = Trees.object();
    json.set("task", task);
    return json;
  }

  private OperationResult updates(ServerRequest request, TaskReader tasks, KnownTask task) {
    return new OperationResult.Updates(
        envelope -> new TaskSource(request.api(), tasks, graph, task, envelope));
  }

  private ObjectNode cancelled(KnownTask task, TaskReader tasks, TaskStart start, PushConfigs push)
      throws InterruptedException {
    var now = start.cancel(task);
    // If it was asking something, its run had ended before.
    boolean wasAsking = now.run().path("status").asString("").equals("success");
    if (pushes && wasAsking) push.tellCanceled(now);
    return tasks.json().task(now, -1, true);
  }
}
