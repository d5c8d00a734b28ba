package dev.superstep.terminal;

import dev.superstep.node.Node;
import java.util.function.UnaryOperator;

/// Nodes whose errors hold no secrets, since the message of an error is stored with its thread.
/// Immutable.
record QuietNodes(UnaryOperator<String> redact) {
  Node node(Node node) {
    return (state, context) -> {
      try {
        return node.run(state, context);
      } catch (RuntimeException e) {
        throw quiet(e);
      }
    };
  }

  private RuntimeException quiet(RuntimeException error) {
    if (!isTelling(error)) return error;
    var kind = error.getClass().getSimpleName();
    var quiet = new IllegalStateException(kind + ": " + redact.apply(message(error)));
    quiet.setStackTrace(error.getStackTrace());
    return quiet;
  }

  private boolean isTelling(RuntimeException error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      if (!redact.apply(message(at)).equals(message(at))) return true;
    }
    return false;
  }

  private static String message(Throwable error) {
    return String.valueOf(error.getMessage());
  }
}
