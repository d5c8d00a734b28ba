package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;

/// A run of a graph as text failed. The message says where in the text; the cause is the error of
/// the engine. A stored thread can be resumed.
public final class RagRunFailed extends SuperstepException {
  private final String node;

  public RagRunFailed(String code, String node, String message, Throwable cause) {
    super(code, message, cause);
    this.node = node;
  }

  /// The node that failed; empty if it was the graph as a whole.
  public String node() {
    return node;
  }
}
