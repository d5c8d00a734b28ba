package dev.superstep.mcp.server.internal.protocol;

import dev.superstep.mcp.internal.wire.Wire;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The messages of JSON-RPC that a server sends.
public final class Rpc {
  public static final int PARSE_ERROR = -32700;
  public static final int INVALID_REQUEST = -32600;
  public static final int NO_METHOD = -32601;
  public static final int INVALID_PARAMS = -32602;
  public static final int INTERNAL = -32603;
  public static final int BUSY = -32000;
  public static final int NO_RESOURCE = -32002;
  public static final int HEADER_MISMATCH = -32020;
  public static final int MISSING_CAPABILITY = -32021;
  public static final int UNSUPPORTED_VERSION = -32022;

  private Rpc() {}

  public static ObjectNode result(JsonNode id, JsonNode result) {
    var message = message();
    message.set("id", id);
    message.set("result", result);
    return message;
  }

  public static ObjectNode error(@Nullable JsonNode id, int code, String text) {
    var message = message();
    message.set("id", id == null ? JsonNodeFactory.instance.nullNode() : id);
    message.putObject("error").put("code", code).put("message", Wire.whole(text));
    return message;
  }

  public static ObjectNode request(long id, String method, ObjectNode params) {
    var message = message().put("id", id).put("method", method);
    message.set("params", params);
    return message;
  }

  public static ObjectNode notification(String method, ObjectNode params) {
    var message = message().put("method", method);
    if (!params.isEmpty()) message.set("params", params);
    return message;
  }

  private static ObjectNode message() {
    return Wire.object().put("jsonrpc", "2.0");
  }

  public static ObjectNode error(JsonNode id, RpcFailure failure) {
    var message = error(id, failure.code(), failure.text());
    failure.data().ifPresent(data -> message.withObjectProperty("error").set("data", data));
    return message;
  }

  public static boolean isId(@Nullable JsonNode id) {
    return id != null && (id.isString() || id.isIntegralNumber());
  }
}
