package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.extension.RequestRefused;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/// The refusal of a request of A2A, with its code. Has no stack trace, since it is an answer.
final class RpcError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;

  private RpcError(int code, String reason, String message) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
  }

  static RpcError parse(String message) {
    return new RpcError(-32700, "", message);
  }

  static RpcError request(String message) {
    return new RpcError(-32600, "", message);
  }

  static RpcError method(String name) {
    return new RpcError(-32601, "", "There is no method `" + name + "` in A2A 1.0.");
  }

  static RpcError params(String message) {
    return new RpcError(-32602, "", message);
  }

  static RpcError noTask(String task) {
    return new RpcError(-32001, "TASK_NOT_FOUND", "There is no task " + task + ".");
  }

  static RpcError notCancelable(String task, String state) {
    var name = state.substring("TASK_STATE_".length()).toLowerCase(Locale.ROOT);
    return new RpcError(
        -32002, "TASK_NOT_CANCELABLE", "Task %s is %s already.".formatted(task, name));
  }

  static RpcError noPush() {
    return new RpcError(
        -32003,
        "PUSH_NOTIFICATION_NOT_SUPPORTED",
        "This agent sends no push notifications; use GetTask or SubscribeToTask.");
  }

  static RpcError unsupported(String message) {
    return new RpcError(-32004, "UNSUPPORTED_OPERATION", message);
  }

  static RpcError content(String message) {
    return new RpcError(-32005, "CONTENT_TYPE_NOT_SUPPORTED", message);
  }

  static RpcError version(String asked) {
    return new RpcError(
        -32009,
        "VERSION_NOT_SUPPORTED",
        "The header A2A-Version is `%s`; this agent speaks 1.0.".formatted(asked));
  }

  static RpcError noConfig(String task, String id) {
    return new RpcError(
        -32001,
        "TASK_NOT_FOUND",
        "Task %s has no push notification config `%s`.".formatted(task, id));
  }

  /// A refusal of the server: of its input as an error of the protocol, else by the status of HTTP.
  static RpcError of(RequestRefused refused) {
    return switch (refused.status()) {
      case 400, 404, 409, 422 -> params(refused.reason());
      default -> throw refused;
    };
  }

  ObjectNode json() {
    var json = Trees.object().put("code", code).put("message", String.valueOf(getMessage()));
    if (!reason.isEmpty()) {
      var info = json.putArray("data").addObject();
      info.put("@type", "type.googleapis.com/google.rpc.ErrorInfo");
      info.put("reason", reason).put("domain", "a2a-protocol.org");
    }
    return json;
  }
}
