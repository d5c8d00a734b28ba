package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.Trees;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerRequest;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The refusal of a request of A2A, with its code. Has no stack trace, since it is an answer.
final class RpcError extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final String VERSION = "1.0";
  private static final int NO_TASK = -32001;
  private static final int NO_METHOD = -32601;
  private static final int NO_CONTENT = -32005;

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
    return new RpcError(NO_METHOD, "", "There is no method `" + name + "` in A2A 1.0.");
  }

  static RpcError params(String message) {
    return new RpcError(-32602, "", message);
  }

  static RpcError noTask(String task) {
    return new RpcError(NO_TASK, "TASK_NOT_FOUND", "There is no task " + task + ".");
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
    return new RpcError(NO_CONTENT, "CONTENT_TYPE_NOT_SUPPORTED", message);
  }

  static RpcError version(String asked) {
    return new RpcError(
        -32009,
        "VERSION_NOT_SUPPORTED",
        asked.isEmpty()
            ? "The request has no header A2A-Version, which means 0.3. Send `A2A-Version: 1.0`."
            : "The header A2A-Version is `%s`, and this agent speaks 1.0 only.".formatted(asked));
  }

  static RpcError noConfig(String task, String id) {
    return new RpcError(
        NO_TASK,
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

  /// Checks the version that a request asks for.
  ///
  /// @throws RpcError if it is another one
  static void checkVersion(ServerRequest request) {
    var asked = request.header("A2A-Version").or(() -> request.query("A2A-Version")).orElse("");
    if (!asked.equals(VERSION)) throw version(asked);
  }

  // --- Its forms ---

  /// The error in the JSON-RPC binding.
  ObjectNode json() {
    var json = Trees.object().put("code", code).put("message", String.valueOf(getMessage()));
    if (!reason.isEmpty()) info(json.putArray("data"));
    return json;
  }

  private void info(ArrayNode details) {
    var info = details.addObject().put("@type", "type.googleapis.com/google.rpc.ErrorInfo");
    info.put("reason", reason).put("domain", "a2a-protocol.org");
  }

  /// The status of HTTP.
  int status() {
    return code == NO_TASK || code == NO_METHOD ? 404 : 400;
  }

  /// The body in the HTTP+JSON binding, which has the form of Google's APIs.
  ObjectNode rest() {
    var json = Trees.object();
    var error = json.putObject("error").put("code", status()).put("status", statusName());
    error.put("message", String.valueOf(getMessage()));
    var details = error.putArray("details");
    if (!reason.isEmpty()) info(details);
    return json;
  }

  private String statusName() {
    if (status() == 404) return "NOT_FOUND";
    boolean isArgument = reason.isEmpty() || code == NO_CONTENT;
    return isArgument ? "INVALID_ARGUMENT" : "FAILED_PRECONDITION";
  }
}
