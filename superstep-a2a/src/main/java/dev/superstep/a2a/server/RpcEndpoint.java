package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.graph.ServedGraph;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Answers the requests of JSON-RPC for one agent. Safe for many threads.
final class RpcEndpoint {
  private static final String VERSION = "1.0";

  private final ServedGraph graph;

  RpcEndpoint(ServedGraph graph) {
    this.graph = graph;
  }

  ServerResponse answer(ServerRequest request) throws InterruptedException {
    JsonNode id = JsonNodeFactory.instance.nullNode();
    try {
      var body = body(request);
      id = id(body);
      var asked = request.header("A2A-Version").or(() -> request.query("A2A-Version")).orElse("");
      // Nothing said means 0.3, as the protocol has it.
      if (!asked.equals(VERSION)) throw RpcError.version(asked.isEmpty() ? "0.3" : asked);
      return answer(request, body, id);
    } catch (RpcError refused) {
      return failed(id, refused);
    } catch (RequestRefused refused) {
      return failed(id, error(refused));
    }
  }

  private static JsonNode body(ServerRequest request) {
    JsonNode body;
    try {
      body = request.body().map(Trees::of).orElseThrow(() -> RpcError.request("No body."));
    } catch (RequestRefused unreadable) {
      if (unreadable.status() != 400) throw unreadable;
      throw RpcError.parse(unreadable.reason());
    }
    if (!body.isObject() || !body.path("jsonrpc").asString("").equals("2.0")) {
      throw RpcError.request("The body must be one request of JSON-RPC 2.0.");
    }
    return body;
  }

  private static JsonNode id(JsonNode body) {
    var id = body.path("id");
    if (id.isString() || id.isIntegralNumber()) return id;
    throw RpcError.request("`id` must be a string or a whole number.");
  }

  private ServerResponse answer(ServerRequest request, JsonNode body, JsonNode id)
      throws InterruptedException {
    var params = body.path("params");
    if (!params.isObject() && !Trees.isNone(params)) {
      throw RpcError.params("`params` must be an object.");
    }
    var tasks = new TaskReader(request.api(), graph);
    var start = new TaskStart(request.api(), graph, tasks);
    var method = body.path("method").asString("");
    return switch (method) {
      case "SendMessage" -> send(params, id, tasks, start);
      case "SendStreamingMessage" -> {
        var task = start.send(params);
        yield ServerResponse.events(new TaskSource(request.api(), tasks, graph, task, id));
      }
      case "GetTask" -> {
        int history = history(params);
        yield done(id, tasks.json(tasks.find(task(params)), history, true));
      }
      case "ListTasks" -> done(id, new TaskList(tasks, graph.id()).page(params));
      case "CancelTask" -> done(id, tasks.json(start.cancel(tasks.find(task(params))), -1, true));
      case "SubscribeToTask" -> {
        var task = tasks.find(task(params));
        if (TaskStates.isTerminal(task.state())) {
          throw RpcError.unsupported("Task " + task.id() + " has ended; use GetTask.");
        }
        yield ServerResponse.events(new TaskSource(request.api(), tasks, graph, task, id));
      }
      case "CreateTaskPushNotificationConfig",
          "GetTaskPushNotificationConfig",
          "ListTaskPushNotificationConfigs",
          "DeleteTaskPushNotificationConfig" ->
          throw RpcError.noPush();
      case "GetExtendedAgentCard" ->
          throw RpcError.unsupported("This agent has one card, which everybody may read.");
      default -> throw RpcError.method(method);
    };
  }

  private static String task(JsonNode params) {
    var id = params.path("id");
    if (id.isString() && !id.stringValue().isEmpty()) return id.stringValue();
    throw RpcError.params("`id` must name a task.");
  }

  private static int history(JsonNode params) {
    return TaskList.number(params.path("historyLength"), -1, 0, Integer.MAX_VALUE);
  }

  private static ServerResponse send(
      JsonNode params, JsonNode id, TaskReader tasks, TaskStart start) throws InterruptedException {
    var configuration = params.path("configuration");
    int history = history(configuration);
    var task = start.send(params);
    if (configuration.path("returnImmediately").asBoolean(false)) {
      return done(id, wrapped(tasks.json(task, history, true)));
    }
    return ServerResponse.later(() -> {
      try {
        start.join(task);
        var ended = wrapped(tasks.json(tasks.find(task.id()), history, true));
        return Trees.json(result(id, ended));
      } catch (RpcError refused) {
        return Trees.json(failure(id, refused));
      }
    });
  }

  private static ObjectNode wrapped(ObjectNode task) {
    var json = Trees.object();
    json.set("task", task);
    return json;
  }

  private static ServerResponse done(JsonNode id, JsonNode result) {
    return ServerResponse.json(200, Trees.json(result(id, result)));
  }

  static ObjectNode result(JsonNode id, JsonNode result) {
    var json = Trees.object().put("jsonrpc", "2.0");
    json.set("id", id);
    json.set("result", result);
    return json;
  }

  private static ServerResponse failed(JsonNode id, RpcError error) {
    return ServerResponse.json(200, Trees.json(failure(id, error)));
  }

  private static ObjectNode failure(JsonNode id, RpcError error) {
    var json = Trees.object().put("jsonrpc", "2.0");
    json.set("id", id);
    json.set("error", error.json());
    return json;
  }

  /// A refusal of the server: of its input as an error of the protocol, else by the status of HTTP.
  private static RpcError error(RequestRefused refused) {
    return switch (refused.status()) {
      case 400, 404, 409, 422 -> RpcError.params(refused.reason());
      default -> throw refused;
    };
  }
}
