package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestHandler;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import dev.superstep.server.extension.ServerRoutes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The HTTP+JSON binding of one agent. Safe for many threads.
final class RestEndpoint {
  private static final String MEDIA_TYPE = "application/a2a+json";
  private static final String CONFIGS = "/tasks/{task}/pushNotificationConfigs";
  private static final List<String> NUMBERS = List.of("pageSize", "historyLength");
  private static final List<String> TEXTS =
      List.of("contextId", "status", "pageToken", "statusTimestampAfter");

  private final AgentOperations operations;

  RestEndpoint(AgentOperations operations) {
    this.operations = operations;
  }

  /// Adds its routes.
  ///
  /// @param base the path of its URL in the card
  void addTo(ServerRoutes routes, String base) {
    on(
        routes,
        "POST",
        base + "/message:send",
        request -> call(request, "SendMessage", body(request)));
    on(
        routes,
        "POST",
        base + "/message:stream",
        request -> call(request, "SendStreamingMessage", body(request)));
    on(routes, "GET", base + "/tasks", request -> call(request, "ListTasks", query(request)));
    on(routes, "GET", base + "/tasks/{task}", this::read);
    on(routes, "POST", base + "/tasks/{task}", this::change);
    on(
        routes,
        "POST",
        base + CONFIGS,
        request -> call(request, "CreateTaskPushNotificationConfig", config(request)));
    on(
        routes,
        "GET",
        base + CONFIGS,
        request -> call(request, "ListTaskPushNotificationConfigs", named(request)));
    on(
        routes,
        "GET",
        base + CONFIGS + "/{id}",
        request -> call(request, "GetTaskPushNotificationConfig", named(request)));
    on(
        routes,
        "DELETE",
        base + CONFIGS + "/{id}",
        request -> call(request, "DeleteTaskPushNotificationConfig", named(request)));
    on(
        routes,
        "GET",
        base + "/extendedAgentCard",
        request -> call(request, "GetExtendedAgentCard", Trees.object()));
  }

  private static void on(ServerRoutes routes, String method, String path, RequestHandler handler) {
    routes.on(method, path, request -> answered(request, handler));
  }

  private static ServerResponse answered(ServerRequest request, RequestHandler handler)
      throws Exception {
    try {
      RpcError.checkVersion(request);
      return handler.handle(request);
    } catch (RpcError refused) {
      return failed(refused);
    } catch (RequestRefused refused) {
      return failed(RpcError.of(refused));
    }
  }

  private static ServerResponse failed(RpcError error) {
    return ServerResponse.json(error.status(), Trees.json(error.rest()))
        .with("Content-Type", MEDIA_TYPE);
  }

  // --- Operations ---

  private ServerResponse call(ServerRequest request, String method, ObjectNode params)
      throws InterruptedException {
    return switch (operations.call(request, method, params)) {
      case OperationResult.Done(var result) ->
          ServerResponse.json(200, Trees.json(result)).with("Content-Type", MEDIA_TYPE);
      case OperationResult.Later(var result) ->
          ServerResponse.later(() -> later(result)).with("Content-Type", MEDIA_TYPE);
      case OperationResult.Updates(var source) ->
          ServerResponse.events(source.apply(update -> update));
    };
  }

  /// Its status is sent already when it fails.
  private static Json later(Callable<JsonNode> result) throws Exception {
    try {
      return Trees.json(result.call());
    } catch (RpcError refused) {
      return Trees.json(refused.rest());
    }
  }

  private ServerResponse read(ServerRequest request) throws InterruptedException {
    var task = Verb.of(request.part("task"));
    return switch (task.verb()) {
      case "" -> call(request, "GetTask", query(request).put("id", task.id()));
      case "subscribe" -> call(request, "SubscribeToTask", Trees.object().put("id", task.id()));
      default -> throw RpcError.method("GET " + request.part("task"));
    };
  }

  private ServerResponse change(ServerRequest request) throws InterruptedException {
    var task = Verb.of(request.part("task"));
    return switch (task.verb()) {
      case "cancel" -> call(request, "CancelTask", Trees.object().put("id", task.id()));
      case "subscribe" -> call(request, "SubscribeToTask", Trees.object().put("id", task.id()));
      default -> throw RpcError.method("POST " + request.part("task"));
    };
  }

  /// The last part of a path: an id, with what is done after a colon.
  private record Verb(String id, String verb) {
    static Verb of(String part) {
      int colon = part.lastIndexOf(':');
      return colon < 0
          ? new Verb(part, "")
          : new Verb(part.substring(0, colon), part.substring(colon + 1));
    }
  }

  // --- Parameters ---

  private static ObjectNode body(ServerRequest request) {
    checkType(request.header("content-type"));
    JsonNode body;
    try {
      body = request.body().map(Trees::of).orElseThrow(() -> RpcError.params("No body."));
    } catch (RequestRefused unreadable) {
      if (unreadable.status() != 400) throw unreadable;
      throw RpcError.parse(unreadable.reason());
    }
    if (body instanceof ObjectNode object) return object;
    throw RpcError.params("The body must be an object.");
  }

  private static void checkType(Optional<String> header) {
    var type = header.orElse("").split(";", 2)[0].strip();
    boolean isKnown =
        type.isEmpty()
            || type.equalsIgnoreCase(MEDIA_TYPE)
            || type.equalsIgnoreCase("application/json");
    if (!isKnown) {
      throw RpcError.content(
          "A body must be application/a2a+json or application/json, was " + type);
    }
  }

  private static ObjectNode query(ServerRequest request) {
    var params = Trees.object();
    for (var name : TEXTS) request.query(name).ifPresent(value -> params.put(name, value));
    for (var name : NUMBERS) {
      request.query(name).ifPresent(value -> params.put(name, number(name, value)));
    }
    request
        .query("includeArtifacts")
        .ifPresent(value -> params.put("includeArtifacts", value.equals("true")));
    return params;
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException _) {
      throw RpcError.params("`" + name + "` must be a whole number.");
    }
  }

  private static ObjectNode named(ServerRequest request) {
    var params = Trees.object().put("taskId", request.part("task"));
    return params.put("id", idOf(request));
  }

  private static String idOf(ServerRequest request) {
    try {
      return request.part("id");
    } catch (IllegalArgumentException _) {
      // The list has none.
      return "";
    }
  }

  private static ObjectNode config(ServerRequest request) {
    return body(request).put("taskId", request.part("task"));
  }
}
