package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.json.Json;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerRequest;
import dev.superstep.server.extension.ServerResponse;
import java.util.concurrent.Callable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Answers the requests of JSON-RPC for one agent. Safe for many threads.
final class RpcEndpoint {
  private final AgentOperations operations;

  RpcEndpoint(AgentOperations operations) {
    this.operations = operations;
  }

  ServerResponse answer(ServerRequest request) throws InterruptedException {
    JsonNode id = JsonNodeFactory.instance.nullNode();
    try {
      var body = body(request);
      id = id(body);
      RpcError.checkVersion(request);
      return answer(request, body, id);
    } catch (RpcError refused) {
      return failed(id, refused);
    } catch (RequestRefused refused) {
      return failed(id, RpcError.of(refused));
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
    var method = body.path("method").asString("");
    return switch (operations.call(request, method, params)) {
      case OperationResult.Done(var result) -> done(id, result);
      case OperationResult.Later(var result) -> ServerResponse.later(() -> later(id, result));
      case OperationResult.Updates(var source) ->
          ServerResponse.events(source.apply(update -> result(id, update)));
    };
  }

  private static Json later(JsonNode id, Callable<JsonNode> result) throws Exception {
    try {
      return Trees.json(result(id, result.call()));
    } catch (RpcError refused) {
      return Trees.json(failure(id, refused));
    }
  }

  private static ServerResponse done(JsonNode id, JsonNode result) {
    return ServerResponse.json(200, Trees.json(result(id, result)));
  }

  private static ObjectNode result(JsonNode id, JsonNode result) {
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
}
