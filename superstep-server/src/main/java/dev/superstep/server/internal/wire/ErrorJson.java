package dev.superstep.server.internal.wire;

import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.server.internal.http.HttpFailure;
import tools.jackson.databind.node.ObjectNode;

/// Failures of runs as clients see them: `{error, message}`.
public final class ErrorJson {
  private ErrorJson() {}

  /// The error of a run that threw: under the name that LangGraph has for it, or that of the
  /// exception of the node that failed.
  public static ObjectNode of(Throwable error) {
    var cause = cause(error);
    var name = name(cause);
    var message = cause.getMessage();
    return Trees.object().put("error", name).put("message", message == null ? name : message);
  }

  private static Throwable cause(Throwable error) {
    var at = error;
    // A node that is a graph fails with the failure of a node inside it.
    for (int depth = 0; depth < 100; depth++) {
      var next = at instanceof NodeFailed ? at.getCause() : null;
      if (next == null) return at;
      at = next;
    }
    return at;
  }

  private static String name(Throwable error) {
    if (error instanceof StepLimitReached) return "GraphRecursionError";
    if (error instanceof HttpFailure) return "InvalidInput";
    var name = error.getClass().getSimpleName();
    return name.isEmpty() ? "Error" : name;
  }
}
