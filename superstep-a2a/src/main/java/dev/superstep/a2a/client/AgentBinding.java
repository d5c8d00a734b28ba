package dev.superstep.a2a.client;

import dev.superstep.a2a.internal.Trees;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A binding of the protocol, by which an agent elsewhere is asked. Immutable.
sealed interface AgentBinding {
  /// The place and the body of a request.
  HttpRequest.Builder request(String method, ObjectNode params);

  /// The result in an answer.
  ///
  /// @throws A2aFailed if the agent refuses
  JsonNode result(A2aAgent agent, int status, JsonNode body);

  /// The name of the binding in cards.
  String name();

  /// The JSON-RPC binding.
  record JsonRpc(URI endpoint) implements AgentBinding {
    static final String NAME = "JSONRPC";

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public HttpRequest.Builder request(String method, ObjectNode params) {
      var body = Trees.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
      body.set("params", params);
      return HttpRequest.newBuilder(endpoint)
          .header("Content-Type", "application/json")
          .POST(BodyPublishers.ofString(Trees.text(body)));
    }

    @Override
    public JsonNode result(A2aAgent agent, int status, JsonNode body) {
      if (status != 200) throw A2aFailed.refused(agent, status, Trees.text(body));
      var error = body.path("error");
      if (!error.isObject()) return body.path("result");
      throw A2aFailed.refused(
          agent, error.path("code").asInt(0), error.path("message").asString("no reason"));
    }
  }

  /// The HTTP+JSON binding.
  record Rest(URI endpoint) implements AgentBinding {
    static final String NAME = "HTTP+JSON";

    private static final Map<String, Integer> CODES =
        Map.of(
            "TASK_NOT_FOUND", -32001,
            "TASK_NOT_CANCELABLE", -32002,
            "UNSUPPORTED_OPERATION", -32004,
            "CONTENT_TYPE_NOT_SUPPORTED", -32005,
            "VERSION_NOT_SUPPORTED", -32009);

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public HttpRequest.Builder request(String method, ObjectNode params) {
      return switch (method) {
        case "SendMessage" ->
            at("/message:send")
                .header("Content-Type", "application/a2a+json")
                .POST(BodyPublishers.ofString(Trees.text(params)));
        case "GetTask" -> {
          var query = params.deepCopy();
          query.remove("id");
          yield at("/tasks/" + encoded(params.path("id").asString("")) + query(query)).GET();
        }
        case "ListTasks" -> at("/tasks" + query(params)).GET();
        case "CancelTask" ->
            at("/tasks/" + encoded(params.path("id").asString("")) + ":cancel")
                .header("Content-Type", "application/a2a+json")
                .POST(BodyPublishers.ofString("{}"));
        default -> throw new IllegalArgumentException("no operation is called " + method);
      };
    }

    private HttpRequest.Builder at(String path) {
      var base = endpoint.toString();
      if (base.endsWith("/")) base = base.substring(0, base.length() - 1);
      return HttpRequest.newBuilder(URI.create(base + path));
    }

    private static String query(ObjectNode params) {
      var query = new StringJoiner("&", "?", "").setEmptyValue("");
      params.forEachEntry((name, value) -> query.add(name + "=" + encoded(value.asString(""))));
      return query.toString();
    }

    private static String encoded(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public JsonNode result(A2aAgent agent, int status, JsonNode body) {
      if (status >= 200 && status < 300) return body;
      var error = body.path("error");
      var why = error.path("message").asString(Trees.text(body));
      throw A2aFailed.refused(agent, error.isObject() ? code(status, error) : status, why);
    }

    /// The code of an error in the JSON-RPC binding, which is below 0; the status of HTTP for a
    /// refusal that is not of the protocol.
    private static int code(int status, JsonNode error) {
      for (var detail : error.path("details")) {
        var code = CODES.get(detail.path("reason").asString(""));
        if (code != null) return code;
      }
      return switch (status) {
        case 400 -> -32602;
        case 404, 405, 501 -> -32601;
        default -> status;
      };
    }
  }
}
