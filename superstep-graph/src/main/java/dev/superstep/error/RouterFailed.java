package dev.superstep.error;

import dev.superstep.topology.Topology;

/// A router threw; its exception is the cause. The superstep is not committed.
public final class RouterFailed extends StepFailed {
  private final String from;

  public RouterFailed(String from, Throwable cause) {
    super(
        "graph.router-failed",
        "The router after "
            + (from.equals(Topology.START) ? "START" : "`" + from + "`")
            + " failed: "
            + NodeFailed.why(cause)
            + ". Nothing of the superstep was folded; mend the router and resume the thread.",
        cause);
    this.from = from;
  }

  /// The node whose router it is.
  public String from() {
    return from;
  }
}
