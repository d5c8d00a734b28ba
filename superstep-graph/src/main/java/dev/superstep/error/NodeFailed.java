package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node threw; its exception is the cause. In a run that is saved, the results of its siblings
/// are saved as well, and the thread can be resumed. Failures of siblings in the same superstep are
/// suppressed exceptions.
public final class NodeFailed extends StepFailed {
  private final String node;
  private final int step;
  private final int attempts;

  public NodeFailed(String graph, String node, int step, int attempts, Throwable cause) {
    super(
        "graph.node-failed",
        "Node `"
            + node
            + "` of graph `"
            + graph
            + "` failed in step "
            + step
            + (attempts > 1 ? " after " + attempts + " attempts: " : ": ")
            + why(cause),
        cause);
    this.node = node;
    this.step = step;
    this.attempts = attempts;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The superstep, from 1.
  public int step() {
    return step;
  }

  /// The number of attempts.
  public int attempts() {
    return attempts;
  }

  public static String why(Throwable cause) {
    var message = cause.getMessage();
    return cause instanceof SuperstepException && message != null
        ? message
        : cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
